/** Identifier of the site's version. */
declare const VERSION: string;
/** The paths of the site's files. */
declare const FILES: string[];
