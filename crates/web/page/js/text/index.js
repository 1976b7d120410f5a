// The strings of the page in the user's language. Components read `text.view.name` when they draw.

import { en } from "./en.js";

/** @typedef {typeof en} Text */

/** All strings, in the language of the page. Other modules see a change, because imports are live. */
export const text = en;
