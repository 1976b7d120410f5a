/** Identifier of the site's version. */
declare const VERSION: string;
/** Name of the folder of this version's files. */
declare const FOLDER: string;
/** The hashes of the site's files by their paths: SHA-256 in hexadecimal digits. */
declare const FILES: Record<string, string>;
