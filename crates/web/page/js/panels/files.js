// Copying to the clipboard, and downloading files.

/** Copies a text. Resolves to `false` if the browser does not allow it. @param {string} text */
export const copyText = (text) =>
  Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
    () => true,
    () => false,
  );

/** @param {string} content */
export const textFile = (content) => new Blob([content], { type: "text/plain" });

/** Saves a file in the browser's download folder. @param {string} name @param {Blob} content */
export function download(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
