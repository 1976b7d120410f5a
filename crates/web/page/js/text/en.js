// Every string that the page shows, in English. Other languages are files with the same keys. A string with a blank to
// fill is a function, so that each language has its own order of words.

export const en = {
  /** Buttons and words that more than one view uses. */
  common: {
    cancel: "Cancel",
  },
  views: {
    play: "Play",
    analyse: "Analyse",
    puzzles: "Puzzles",
    watch: "Watch",
    learn: "Learn",
  },
  settings: {
    title: "Settings",
    theme: "Colours",
    themes: { system: "As the system", light: "Light", dark: "Dark", contrast: "High contrast" },
    cascades: "Cascades",
    speeds: { 0: "Off", 120: "Fast", 250: "Normal", 600: "Slow" },
    coordinates: "Coordinates",
  },
};
