// SPDX-License-Identifier: Apache-2.0
// Inside speedscope's page, before its own script. speedscope reads what is pasted into its page: the page pastes the profile
// that the frame around it holds, as soon as speedscope listens.
location.hash = "view=left-heavy";
addEventListener("DOMContentLoaded", () => {
  const text = frameElement.profileText;
  const paste = () => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    const event = new ClipboardEvent("paste", { clipboardData, cancelable: true });
    // Without its canvas speedscope forgets what it reads; who takes a paste, cancels it.
    if (!document.querySelector("canvas") || document.dispatchEvent(event))
      requestAnimationFrame(paste);
  };
  paste();
});
