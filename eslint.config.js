// SPDX-License-Identifier: Apache-2.0
// The rules of `utils/lint` for JavaScript: those that find faults. How code is laid out is no concern of theirs.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["build*/", "node_modules/"] },
  js.configs.recommended,
  {
    files: ["**/*.mjs", "**/*.js"],
    languageOptions: { globals: { ...globals["shared-node-browser"] } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-constant-binary-expression": "error",
      "no-constructor-return": "error",
      "no-self-compare": "error",
      "no-unreachable-loop": "error",
      "no-unused-vars": ["error", { args: "after-used" }],
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-useless-assignment": "error",
      "no-var": "error",
      "prefer-const": "error",
      "prefer-promise-reject-errors": "error",
    },
  },
  { files: ["**/*.mjs", "**/*.cjs", "*.js"], languageOptions: { globals: globals.node } },
  {
    files: ["js/recorder/{browser.mjs,page/*,engine/kept-time.mjs}", "examples/browser/*.mjs", "lib/Output/**", "test/**/Inputs/*.mjs", "benchmarks/report_page.mjs"],
    languageOptions: { globals: globals.browser },
  },
  { files: ["js/recorder/page/page-worker-start.js"], languageOptions: { sourceType: "script", globals: globals.worker } },
  { files: ["**/*.cjs"], languageOptions: { sourceType: "commonjs" } },
];
