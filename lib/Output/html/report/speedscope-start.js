// SPDX-License-Identifier: Apache-2.0
// Runs inside speedscope's page before its own script. speedscope reads profiles that are pasted into its page, so this
// pastes the profile of the surrounding page as soon as speedscope listens.
location.hash = "view=left-heavy";
addEventListener("DOMContentLoaded", () => {
  const text = frameElement.profileText;
  const paste = () => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    const event = new ClipboardEvent("paste", { clipboardData, cancelable: true });
    // Without its canvas, speedscope forgets what it reads. It cancels the event once it takes a paste.
    if (!document.querySelector("canvas") || document.dispatchEvent(event))
      requestAnimationFrame(paste);
  };
  paste();
});
