// Every string of the course's views in English. Files of other languages have the same keys.

export const en = {
  menu: {
    scoreboard: "Scoreboard",
    mine: "My agent",
    staff: "Staff",
    live: "Live boards",
    team: "Team",
    game: "Game",
  },
  phases: {
    open: "Open",
    closing: "Closed: the last uploads are being checked",
    final: "The final is in progress",
    done: "The final is over; staff has not published it yet",
    published: "Final results",
  },
  /** Announced when the phase changes. @param {string} phase */
  nowPhase: (phase) => `New phase: ${phase}`,
  rehearsal: "Rehearsal",
  /** @param {string} speed */
  rehearsalHow: (speed) => `This is a rehearsal: its clock runs ${speed} times as fast, and nothing counts.`,
  deadline: "Deadline",
  timeLeft: "Time left",
  /** @param {string} here */
  localTime: (here) => `${here} on your clock`,
  /** Between the entries of a list. */
  separator: ", ",
  teams: "Teams",
  versions: "Versions",
  gamesPlayed: "Games",
  announcements: "Announcements",
  /** @param {string} why */
  trouble: (why) => `The server answered: ${why}`,
  notFound: "This page does not exist.",
  back: "Back to the scoreboard",
  leave: "Sign out",
  leaveHow: "To sign in again, open your personal link.",
  board: {
    ladder: "Ladder",
    final: "Final",
    empty: "No version has played yet.",
    rank: "Rank",
    team: "Team and agent",
    elo: "Elo",
    points: "Points",
    games: "Games",
    results: "Won / drawn / lost",
    faults: "Faults",
    live: "playing now",
    you: "your team",
    /** @param {number} games */
    gamesOf: (games) => (games === 1 ? "1 game" : `${games} games`),
    /** @param {number} count @param {string} points */
    pointsOf: (count, points) => (count === 1 ? `${points} point` : `${points} points`),
    /** @param {number} count */
    faultsOf: (count) => (count === 1 ? "1 fault" : `${count} faults`),
    eloNote: "± is the 95% interval of the Elo rating.",
    pages: "Pages of the table",
    /** @param {number} page @param {number} pages */
    page: (page, pages) => `Page ${page} of ${pages}`,
    previous: "Previous",
    next: "Next",
    allBoards: "All boards",
    noBoard: "This board is no longer in use.",
  },
  games: {
    latest: "Latest games",
    own: "Your games",
    title: "Games",
    none: "No games yet.",
    older: "Older games",
    hidden: "Games of others can be replayed after the course.",
    kinds: { ladder: "Ladder", final: "Final", practice: "Practice" },
    /** @param {string} id @param {string} first @param {string} second */
    name: (id, first, second) => `Game ${id}: ${first} against ${second}`,
    /** @param {string} winner @param {string} loser */
    beat: (winner, loser) => `${winner} beat ${loser}`,
    /** @param {string} first @param {string} second */
    drawn: (first, second) => `${first} and ${second} drew`,
    /** @param {string} first @param {string} second */
    void: (first, second) => `${first} against ${second}: does not count`,
    outcomes: { won: "Won", lost: "Lost", drawn: "Draw", void: "Void" },
    going: "In progress",
    /** @param {number} version */
    version: (version) => `version ${version}`,
    /** @param {string} seconds */
    time: (seconds) => `Time for this move: ${seconds}`,
    slowest: "Slowest moves",
    /** @param {number} number @param {string} move @param {string} seconds */
    slow: (number, move, seconds) => `${number}. ${move}: ${seconds}`,
    faults: "Faults",
    /** @param {string} kind @param {number} number */
    faultAt: (kind, number) => `${kind} at move ${number}`,
    stderr: "Standard error",
    /** @param {string} name */
    stderrOf: (name) => `Standard error of ${name}`,
    noStderr: "Nothing was written.",
    goTo: "Show the position",
    noPosition: "The position cannot be shown. Please reload the page.",
  },
  team: {
    none: "This team has not played yet.",
    history: "Rating history",
    /** @param {string} low @param {string} high @param {string} last */
    historyOf: (low, high, last) => `Elo between ${low} and ${high}, now ${last}`,
    version: "Playing version",
    record: "Won / drawn / lost",
  },
  upload: {
    title: "Upload a version",
    drop: "Drop a zip or a source file here",
    or: "or",
    choose: "Choose a file",
    /** @param {string} size */
    limit: (size) => `At most ${size}. The last accepted version plays. A refused upload changes nothing.`,
    offline: "The same check on your machine:",
    closed: "Uploads are closed.",
    late: "The deadline has passed: uploads count as late.",
    /** @param {string} name */
    sending: (name) => `Sending ${name}`,
    /** @param {number} percent */
    percent: (percent) => `${percent}%`,
    sent: "Sent. Waiting for the server …",
    cancel: "Cancel",
    again: "Try again",
    /** @param {string} name */
    cancelled: (name) => `Cancelled: ${name} was not uploaded.`,
    /** @param {string} name */
    failed: (name) => `${name} was not uploaded.`,
    lost: "The connection was lost. Check the versions below, then try again.",
    /** @param {string} name @param {number} number */
    received: (name, number) => `${name} was received as version ${number}.`,
    /** @param {number} count @returns {string} */
    oneFile: (count) =>
      count === 0 ? "This is not a file." : "Choose one file: a zip of your folder, or one source file.",
    /** @param {string} name */
    folder: (name) => `${name} is a folder. Make a zip of it first.`,
    /** @param {string} name */
    empty: (name) => `${name} is empty.`,
    /** @param {string} name @param {string} size @param {string} limit */
    tooLarge: (name, size, limit) => `${name} has ${size}; at most ${limit} are allowed.`,
    states: { waiting: "Waiting for its check", checking: "Being checked", accepted: "Accepted", refused: "Refused" },
    /** @param {number} place */
    waitingAt: (place) => `Waiting for its check: number ${place} in the queue`,
    results: {
      /** @param {number} number */
      accepted: (number) => `Version ${number} was accepted.`,
      /** @param {number} number */
      refused: (number) => `Version ${number} was refused.`,
      /** @param {number} number */
      waiting: (number) => `Version ${number} is waiting.`,
      /** @param {number} number */
      checking: (number) => `Version ${number} is being checked.`,
    },
    /** @param {number} number */
    check: (number) => `Check of version ${number}`,
    versions: "Your versions",
    noVersions: "No upload yet.",
    /** @param {number} number */
    version: (number) => `Version ${number}`,
    playing: "playing",
    lateMark: "late",
    play: "Play this version",
    /** @param {number} number */
    playsNow: (number) => `Version ${number} plays from the next game on.`,
    frozen: "Staff has frozen the version of your team.",
    out: {
      withdrawn: "Staff has withdrawn your team. It plays no more games.",
      disqualified: "Staff has disqualified your team. It plays no more games.",
    },
    details: "Check",
    repaired: "Repaired",
    remedy: "What to do",
    position: "The position",
    download: "Download",
  },
  /** Steps of a check by the names that the server uses. @type {Record<string, string>} */
  steps: {
    unpack: "Unpack",
    description: "Find the command",
    build: "Build",
    program: "Find the program",
    "answers `identify`": "Answer “identify”",
    starts: "Start",
    "moves first": "Move as the first side",
    "moves second": "Move as the second side",
    "plays a game against itself": "Play a game against itself",
    files: "Compare the files",
    pack: "Store the files",
  },
  stepStates: { running: "running", passed: "passed", warned: "passed with a warning", failed: "failed" },
  practice: {
    title: "Practice",
    how: "A game of your playing version against one of our levels. It does not count.",
    level: "Opponent",
    start: "Play a practice game",
    /** @param {number} left @param {number} perHour */
    left: (left, perHour) => `${left} of ${perHour} games left this hour`,
    /** @param {string} level */
    asked: (level) => `The game against ${level} is queued. It appears in your games when it is over.`,
    noVersion: "You need an accepted version first.",
    states: { waiting: "queued", playing: "in progress", failed: "could not be played" },
  },
  advice: {
    title: "What to improve",
    none: "No faults, and no lost positions so far.",
    faults: "Faults",
    /** @param {string} kind @param {number} count */
    fault: (kind, count) => `${kind} × ${count}`,
    example: "Example",
    slowest: "Slowest moves",
    /** @param {string} game @param {number} number @param {string} seconds */
    slow: (game, number, seconds) => `Game ${game}, move ${number}: ${seconds}`,
    lost: "First lost positions",
    lostHow: "Before this move our engine still saw chances, after it hardly any.",
    /** @param {string} game @param {number} number */
    lostAt: (game, number) => `Game ${game}, move ${number}`,
    /** @param {string} before @param {string} after */
    chance: (before, after) => `Winning chances from ${before} to ${after}`,
  },
  staff: {
    pages: "Staff pages",
    teams: "Teams",
    audit: "Audit log",
    grades: "Grades",
    copies: "Copies",
    course: "Course",
    workers: "Workers at",
    /** @param {number} jobs @param {number} offered */
    workersPlay: (jobs, offered) => `at most ${jobs} games at a time, ${offered} handed out`,
    search: "Search",
    show: "Show",
    sort: "Order",
    /** @param {string} name @param {number} count */
    counted: (name, count) => `${name} (${count})`,
    shows: {
      all: "All",
      none: "Nothing uploaded",
      waiting: "Being checked",
      refused: "Last upload refused",
      accepted: "With a version",
      late: "With late uploads",
      out: "Out",
    },
    sorts: { id: "Id", name: "Name", lastUpload: "Last upload", elo: "Elo", faults: "Faults" },
    noMatch: "No team matches.",
    team: "Team",
    link: "Link",
    links: { none: "none", made: "not used yet", used: "used" },
    uploads: "Uploads",
    last: "Last upload",
    state: "State",
    never: "never",
    frozen: "frozen",
    withdrawn: "withdrawn",
    disqualified: "disqualified",
    /** @param {string} name */
    manage: (name) => `Manage ${name}`,
    actions: "Actions",
    /** @param {string} name */
    teamPage: (name) => `Public page of ${name}`,
    allTeams: "All teams",
    reason: "Reason (in the audit log; the team sees it)",
    text: "Announcement (everybody sees it)",
    rerunWith: "Opponent for the re-run",
    done: "Done.",
    newLink: "New link",
    copy: "Copy",
    copied: "Copied.",
    time: "Time",
    actor: "By",
    action: "Action",
    subject: "Subject",
    detail: "Details",
    noEntries: "No entries yet.",
    older: "Older entries",
    version: "Version",
    why: "Why not",
    checks: "Checks",
    total: "Total",
    gradesHow: "The rules are in the course file, in the section [grading].",
    csv: "Download CSV",
    json: "Download JSON",
    noCopies: "No similar submissions were found.",
    copiesHow: "A hint, not a proof: look at the pair before you judge.",
    identical: "Identical submissions",
    similar: "Similar submissions",
    share: "In common",
    compare: "Compare",
    /** @param {string} one @param {string} other */
    pair: (one, other) => `${one} and ${other}`,
    matches: "Common parts",
    /** @param {number} number @param {string} one @param {string} other */
    match: (number, one, other) => `${number}: ${one} and ${other}`,
    /** @param {string} file @param {number} from @param {number} to */
    lines: (file, from, to) => `${file}, ${from === to ? `line ${from}` : `lines ${from}–${to}`}`,
    /** @param {string} name @param {string} file */
    source: (name, file) => `${file} of ${name}`,
    remove: "Remove",
  },
  /** Dialogs of the staff's actions: `what` says what will happen. */
  actions: {
    acceptLate: {
      /** @param {string} team @param {string} version */
      title: (team, version) => `Accept version ${version} of ${team}?`,
      what: () =>
        "The late upload counts as if it had come in time. If it is accepted, it is the team’s playing version.",
      button: "Accept late upload",
    },
    freeze: {
      /** @param {string} team @param {string} version */
      title: (team, version) => `Freeze version ${version} of ${team}?`,
      what: () => "This version plays until you unfreeze it. The team can still upload, but not change the version.",
      button: "Freeze this version",
    },
    unfreeze: {
      /** @param {string} team */
      title: (team) => `Unfreeze ${team}?`,
      what: () => "The version that the team has chosen plays again, or its last accepted one.",
      button: "Unfreeze",
    },
    withdraw: {
      /** @param {string} team */
      title: (team) => `Withdraw ${team}?`,
      what: () =>
        "The team plays no more games and leaves the standings. Its games are marked and no longer count for others.",
      button: "Withdraw",
    },
    disqualify: {
      /** @param {string} team */
      title: (team) => `Disqualify ${team}?`,
      what: () =>
        "The team plays no more games and leaves the standings. Its games are marked and no longer count for others.",
      button: "Disqualify",
    },
    reinstate: {
      /** @param {string} team */
      title: (team) => `Reinstate ${team}?`,
      what: () => "The team returns to the standings and plays again. Its earlier games count again.",
      button: "Reinstate",
    },
    renewLink: {
      /** @param {string} team */
      title: (team) => `New link for ${team}?`,
      what: () => "The old link stops working, also on devices that are signed in. The new link is shown only once.",
      button: "New link",
    },
    rerunAll: {
      title: () => "Play all games again?",
      what: () => "All ladder games so far no longer count. The ladder starts again with the playing versions.",
      button: "Re-run everything",
    },
    rerunPair: {
      /** @param {string} team */
      title: (team) => `Re-run games of ${team}?`,
      /** @param {string} team @param {string} _version @param {string} other */
      what: (team, _version, other) =>
        `The ladder games of ${team} against ${other || "the chosen opponent"} no longer count, ` +
        "and a new series is played.",
      button: "Re-run a pair",
    },
    announce: {
      title: () => "Announce",
      what: () => "The text appears above the scoreboard, for everybody.",
      button: "Announce",
    },
    removeAnnouncement: {
      title: () => "Remove the announcement?",
      what: () => "It disappears from the scoreboard. The audit log keeps it.",
      button: "Remove",
    },
    close: {
      title: () => "Close uploads now?",
      what: () => "This moves the deadline to now. Uploads that were received are still checked.",
      button: "Close uploads",
    },
    startFinal: {
      title: () => "Start the final?",
      what: () => "The playing versions are frozen and play the final. This cannot be undone.",
      button: "Start the final",
    },
    publish: {
      title: () => "Publish the final?",
      what: () => "Everybody sees the final’s standings and games. This cannot be undone.",
      button: "Publish",
    },
  },
  /** Errors of the server by code. @type {Record<string, string>} */
  errors: {
    tooLarge: "The file is too large: at most {limit}.",
    tooManyUploads: "At most {limit} uploads in an hour are allowed. The next one is possible at {next}.",
    tooManyGames: "No practice games are left. The next one is possible at {next}.",
    late: "Uploads are closed.",
    closed: "The staff has ended the time for uploads.",
    busy: "Another upload of your team is being received. Wait until it ends.",
    notTeam: "Open your personal link first.",
    notStaff: "Your link does not allow this.",
    notPublic: "These games are not public.",
    notFound: "This does not exist.",
    unknown: "This does not exist.",
    wrongPhase: "This is not possible in the current phase.",
    finalNotOver: "The final is not over.",
    full: "The server’s disk is full. Tell the staff.",
    invalid: "{field}: “{found}” is not valid; expected {expected}.",
    conflict: "{subject}: {found} found, expected {expected}.",
    stopping: "The server is stopping. Try again in a few minutes.",
    internal: "The server has failed. The staff finds the reason in its log.",
    tooSlow: "The transfer was too slow. Nothing was changed; send it again.",
    cutOff: "The transfer was cut off. Nothing was changed; send it again.",
    tooLong: "The request is too long: at most {limit} bytes.",
    tooManyGuesses: "Too many unknown links were opened from your network. Try again in a minute.",
    malformed: "The request is malformed: {why}",
    notAllowed: "{method} is not possible at this address.",
    foreignOrigin: "This server answers only its own pages.",
    foreignHost: "This server is not {host}. The staff sets its public address in the course file.",
  },
};
