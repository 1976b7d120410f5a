// Every string of the page in English. Files of other languages have the same keys. A string with placeholders is a
// function, so that each language can order its words.

export const en = {
  /** Buttons and words that several views share. */
  common: {
    cancel: "Cancel",
    close: "Close",
    menu: "Menu",
    views: "Views",
    waiting: "Waiting for the server …",
    lost: "Connection lost. Reconnecting …",
    newVersion: "A new version is ready.",
    update: "Update",
    reload: "Reload the page",
    settingUp: "Setting up the board …",
    /** @param {number} size */
    board: (size) => `${size} × ${size}`,
    /** @param {string} title @param {number} size */
    gameOn: (title, size) => `${title} ${size} × ${size}`,
    /** Short names of rules and starts. @type {Record<string, string>} */
    variants: {
      mso: "Olympiad rules",
      "scrambled-eggs": "Scrambled Eggs",
      "scrambled-eggs mso": "Scrambled Eggs, Olympiad rules",
      openspiel: "OpenSpiel rules",
      "scrambled-eggs openspiel": "Scrambled Eggs, OpenSpiel rules",
    },
    /** @param {number} count */
    moves: (count) => (count === 1 ? "1 move" : `${count} moves`),
  },
  views: {
    home: "Home",
    play: "Play",
    analyse: "Analyse",
    puzzles: "Puzzles",
    watch: "Watch",
    learn: "Learn",
    review: "Review",
    table: "Shared board",
    ladder: "Ladder",
    arena: "Arena",
  },
  /** The engine's levels as opponents: a name, and a description. */
  opponents: {
    /** @param {string} level */
    unnamed: (level) => `Level ${level}`,
    /** @param {string} name @param {string} level */
    named: (name, level) => `${name} · level ${level}`,
    /** @type {Record<string, { name: string, about: string }>} */
    levels: {
      gentle1: { name: "Chick", about: "Has just learned the rules and likes to capture." },
      gentle2: { name: "Lamb", about: "Sees its own chances, rarely yours." },
      gentle3: { name: "Squirrel", about: "Plays sensibly for a while, then forgets to look." },
      1: { name: "Hedgehog", about: "Takes a win that is right there. Misses most of your plans." },
      2: { name: "Rabbit", about: "Quick and careless. Threats often slip by." },
      3: { name: "Otter", about: "Plays sensible moves, with mistakes you can exploit." },
      4: { name: "Badger", about: "Defends well when it sees the threat." },
      5: { name: "Fox", about: "Sets small traps. Forgives one slip, not two." },
      6: { name: "Raven", about: "Looks several moves ahead and rarely blunders." },
      7: { name: "Lynx", about: "Waits for your mistakes and finds most of them." },
      8: { name: "Wolf", about: "A strong player. You will need a plan." },
      9: { name: "Eagle", about: "Sees nearly everything within reach." },
      10: { name: "Dragon", about: "Full strength. Never misses a short forced win." },
    },
    /** Engines without these levels. @type {Record<string, string>} */
    builds: { random: "Random moves" },
    /** @param {number} elo */
    elo: (elo) => `${elo} Elo`,
    scale:
      "Measured in games between the levels on the standard board. The weakest level is rated 400 in every game, " +
      "so ratings in different games cannot be compared.",
  },
  /** The results against the levels of the engine. */
  ladder: {
    you: "You",
    rule:
      "To beat an opponent, score two points in three consecutive games. A win is one point, a draw half a point. " +
      "Only games on the standard board count, without a move limit, hints, undo or a change of players.",
    fresh: "not played yet",
    /** @param {number} wins @param {number} losses @param {number} draws */
    brief: (wins, losses, draws) =>
      `${wins}–${losses}${draws ? `, ${draws} ${draws === 1 ? "draw" : "draws"}` : ""}`,
    /** @param {string} score */
    score: (score) => `you are ${score}`,
    /** @param {string} name */
    nextName: (name) => `Next: ${name}`,
    /** @param {string} name @param {string} score */
    next: (name, score) => `Next: ${name} – ${score}`,
    all: "You have beaten every opponent.",
    helped: "You had help, so this game does not count.",
    /** @param {string} name */
    play: (name) => `Play against ${name}`,
    beaten: "Beaten",
    isNext: "Next",
    /** @param {string} results */
    last: (results) => `Last games: ${results}`,
    rating: "Your rating",
    unrated: "Your first game that counts gives you a rating.",
    /** @param {number} games */
    ratedBy: (games) =>
      `Based on your last ${games === 1 ? "game" : `${games} games`}. ` +
      "There is a two in three chance that your true rating is in this range.",
    /** @param {number} elo */
    youAt: (elo) => `You · ${elo} Elo`,
    files: "Your finished games",
    filesHow:
      "The ladder is computed from your finished games. You can save them as a file, " +
      "or add games from another browser or computer.",
    export: "Save as a file",
    import: "Add from a file",
    /** @param {number} added @param {number} known */
    imported: (added, known) =>
      `${added === 1 ? "1 game" : `${added} games`} added.` +
      (known ? ` ${known} ${known === 1 ? "was" : "were"} already here.` : ""),
    /** @param {number} count */
    skipped: (count) => (count === 1 ? "1 line was skipped." : `${count} lines were skipped.`),
    /** @param {number} line */
    longLine: (line) => `Line ${line} is too long.`,
  },
  home: {
    heading: "What shall we play?",
    lead: "Free board games against the computer or a friend, with analysis, puzzles and lessons.",
    games: "Game",
    goOn: "Continue",
    /** @param {string} opponent */
    against: (opponent) => `Against ${opponent}`,
    twoPlayers: "Two players",
    yourMove: "Your move",
    theirMove: "Their move",
    aside: "Saved games",
    remove: "Remove",
    puzzle: "Puzzle of the day",
    finished: "Finished games",
    rules: "Rules",
  },
  newGame: {
    title: "New game",
    game: "Game",
    opponent: "Opponent",
    against: "Play against",
    engine: "Computer",
    friend: "Two players",
    friendHow: "Both players use this device.",
    strength: "Strength",
    easier: "Easier",
    stronger: "Stronger",
    youPlay: "You play",
    byLot: "Random",
    board: "Board",
    clock: "Clock",
    /** @type {[string, string][]} */
    clocks: [
      ["", "No clock"],
      ["180+2", "3 min + 2 s a move"],
      ["300+3", "5 min + 3 s a move"],
      ["600+0", "10 min"],
      ["900+10", "15 min + 10 s a move"],
      ["10", "10 s a move"],
      ["30", "30 s a move"],
    ],
    advanced: "Advanced",
    moveLimit: "Move limit",
    /** @type {[string, string][]} */
    limits: [
      ["", "None"],
      ["60", "Draw after 60 moves"],
      ["120", "Draw after 120 moves"],
      ["200", "Draw after 200 moves"],
    ],
    thinkingTime: "Thinking time",
    /** @type {[string, string][]} */
    thinkingTimes: [
      ["", "Automatic"],
      ["0.2", "0.2 s a move"],
      ["1", "1 s a move"],
      ["5", "5 s a move"],
      ["20", "20 s a move"],
      ["10000 n", "10,000 positions a move"],
      ["1000000 n", "1,000,000 positions a move"],
    ],
    rules: "Rules",
    usualRules: "Standard",
    /** @type {Record<string, string>} */
    variants: {
      mso: "Olympiad: connecting both sides draws",
      "scrambled-eggs": "Scrambled Eggs: mixed colours at the start",
      "scrambled-eggs mso": "Scrambled Eggs, Olympiad rules",
    },
    engineField: "Engine",
    /** @type {Record<string, string>} */
    engines: { current: "Plyhouse", random: "Random moves" },
    begin: "Start game",
    watch: "Watch the game",
  },
  play: {
    ended: "The program has ended.",
    continue: "Continue",
    /** @param {number} ply @param {string} move */
    pastMove: (ply, move) => `After move ${ply}: ${move}`,
    pastStart: "Start of the game",
    pastFresh: "A new move has been played.",
    pastBack: "Back to the game",
    board: "Board",
    game: "Game",
    you: "You",
    /** @param {string} side */
    yourTurn: (side) => `Your turn (${side})`,
    /** @param {string} side */
    toMove: (side) => `${side} to move`,
    /** @param {string} side */
    thinking: (side) => `${side} is thinking …`,
    paused: "Paused",
    watchChoice: "Watch another game",
    /** @param {string} a @param {string} b */
    versus: (a, b) => `${a} against ${b}`,
    /** @param {string} side */
    thinkingTimeOf: (side) => `Thinking time (${side})`,
    /** @param {number} count */
    captured: (count) => `${count} captured`,
    moves: "Moves",
    noMoves: "No moves yet.",
    win: "You win",
    loss: "You lose",
    draw: "Draw",
    over: "Game over",
    undo: "Undo",
    redo: "Redo",
    hint: "Hint",
    flip: "Flip",
    groups: "Groups",
    resign: "Resign",
    resignSure: "Really resign?",
    newGame: "New game",
    rematch: "Rematch",
    learn: "Learn from your mistakes",
    /** Short form of `learn`, for the label below an icon. */
    mistakes: "Mistakes",
    review: "Review the game",
    analyse: "Analyse",
    share: "Share",
    hintPiece: "Hint: move this piece.",
    /** @param {string} move */
    hintMove: (move) => `Hint: ${move}.`,
    /** @param {string} line */
    hintLine: (line) => `Hint: ${line}`,
    pause: "Pause",
    resume: "Resume",
    step: "Step",
    pace: "Speed",
    /** @type {[string, string][]} */
    paces: [
      ["100", "Fast"],
      ["600", "Normal"],
      ["2000", "Slow"],
    ],
    engineMoves: "Let the computer move",
    typeMove: "Type a move",
    play: "Play",
    rules: "Learn the rules",
    leaveTitle: "Leave this game?",
    /** @param {string} title @param {number} count */
    leaveText: (title, count) =>
      `Your game of ${title} is still in progress after ${count === 1 ? "1 move" : `${count} moves`}.`,
    /** The noun after the number of a side's pieces. @param {number} count @param {string} noun */
    counted: (count, noun) => (count === 1 ? noun.replace(/s$/, "") : noun),
    keepIt: "Save it and start the new game",
    discard: "Discard it",
  },
  board: {
    name: "Board",
    // These words follow the name of a square, for screen readers.
    held: "selected",
    target: "can go here",
    movable: "can move",
    wish: "premove",
    cascade: "Cascade",
    skip: "Skip",
    stop: "Pause the cascade",
    goOn: "Play the cascade",
    step: "Next wave",
    replay: "Replay the cascade",
    wave: (/** @type {number} */ wave, /** @type {number} */ last) => `Wave ${wave} of ${last}`,
    wished: "Premove set",
    dropped: "Premove cancelled: the move is not legal",
  },
  puzzles: {
    title: "Puzzle",
    game: "Game",
    mode: "Choose puzzles",
    modes: { rated: "Rated", theme: "By theme", number: "By number", day: "Puzzle of the day" },
    theme: "Theme",
    /** @param {string} name @param {number} count */
    themeCount: (name, count) => `${name} (${count})`,
    /** @type {Record<string, string>} */
    themes: {
      win1: "Win in one",
      win2: "Win in two",
      win3: "Win in three",
      win4: "Long wins",
      connect1: "Connect in one",
      connect2: "Connect in two",
      connect3: "Connect in three",
      connect4: "Connect in four or more",
      save: "Save the game",
      capture: "Captures",
      quiet: "Quiet moves",
      sacrifice: "Sacrifices",
      "capture-or-not": "Capture or not?",
      tower: "A new tower",
      trap: "No move left",
      cascade: "Cascades",
      spark: "Small sparks",
      corner: "Corners",
      "break-through": "Breakthroughs",
      race: "Races",
    },
    /** @param {string} side @param {number} moves */
    win: (side, moves) => (moves === 1 ? `${side} to play and win` : `${side} to play and win in ${moves}`),
    /** @param {string} side */
    save: (side) => `${side} to play and save the game`,
    winTask: "Find the winning move. Every move that keeps the win counts.",
    saveTask: "All moves but one lose. Which one saves the game?",
    /** @param {number} number @param {number} count */
    number: (number, count) => `Puzzle ${number} of ${count}`,
    /** @param {number} rating */
    rated: (rating) => `Rating ${rating}`,
    ratingHidden: "Rating hidden until solved",
    checking: "Checking …",
    good: "Good move. Keep going.",
    /** @param {string} answer */
    answered: (answer) => `Your opponent plays ${answer}.`,
    solved: "Solved!",
    /** @param {string} move */
    solvedBy: (move) => `${move} is the right move.`,
    notThis: "That’s not the move.",
    /** @param {string} move */
    slips: (move) => `${move} lets the win slip.`,
    /** @param {string} move @param {string} answer */
    slipsTo: (move, answer) => `${move} lets the win slip: the reply is ${answer}.`,
    /** @param {string} move */
    unclear: (move) => `${move} is still good, but there is a forced win.`,
    /** @param {string} move */
    draws: (move) => `${move} only draws.`,
    /** @param {string} move */
    loses: (move) => `${move} loses at once.`,
    /** @param {string} move @param {string} answer */
    losesTo: (move, answer) => `${move} loses to ${answer}.`,
    solution: "Solution",
    solutionHint: "Step through it, or try it yourself.",
    failed: "Your move could not be checked. Please try again.",
    unusable: "This puzzle cannot be shown.",
    firstHint: "Hint: look at the marked piece.",
    /** @param {string} move */
    moveHint: (move) => `Hint: play ${move}.`,
    hint: "Hint",
    nextHint: "Show the move",
    showSolution: "View solution",
    tryAgain: "Try again",
    retry: "Retry",
    analyse: "Analyse",
    next: "Next puzzle",
    line: "Line",
    /** @param {number} number */
    moveNumber: (number) => `${number}.`,
    start: "Start",
    first: "To the start",
    back: "Back",
    forward: "Forward",
    last: "To the end",
    yourRating: "Your rating",
    /** @param {number} rating */
    provisional: (rating) => `${rating}?`,
    /** @param {number} change */
    change: (change) => (change >= 0 ? `+${change}` : `−${-change}`),
    streak: "Streak",
    /** @param {number} best */
    best: (best) => `best ${best}`,
    days: "Days in a row",
    numberField: "Number",
    previous: "Previous",
    following: "Next",
    all: "All puzzles",
    /** @param {number} number @param {number} rating */
    numbered: (number, rating) => `Puzzle ${number}, rating ${rating}`,
    /** @param {number} number @param {number} rating */
    numberedSolved: (number, rating) => `Puzzle ${number}, rating ${rating}, solved`,
    /** @param {number} number @param {number} rating */
    numberedMissed: (number, rating) => `Puzzle ${number}, rating ${rating}, missed`,
    /** @param {string} task */
    board: (task) => `Puzzle: ${task}`,
  },
  learn: {
    games: "Games",
    lessons: "Lessons",
    /** @param {number} number @param {string} title */
    lesson: (number, title) => `${number}. ${title}`,
    /** @param {number} number @param {number} count */
    step: (number, count) => `Step ${number} of ${count}`,
    done: "done",
    yourMove: "Your move",
    back: "Back",
    again: "Start over",
    next: "Continue",
    nextLesson: "Next lesson",
    finished: "You know the rules. Now play!",
    /** @param {string} title */
    play: (title) => `Play ${title}`,
    puzzles: "Solve puzzles",
    failed: "This board cannot be shown",
    /** @param {string} lesson */
    board: (lesson) => `Lesson: ${lesson}`,
    controls: "Moving pieces",
    controlsText:
      "Click a piece and then a square, or drag the piece. With the keyboard, use the arrow keys and Enter. " +
      "Escape puts a piece down and skips a cascade. Space pauses a cascade, then shows one wave at a time.",
  },
  review: {
    heading: "Learn from your mistakes",
    board: "Board",
    panel: "Review",
    /** @param {string} move @param {number} percent */
    turningPoint: (move, percent) => `Turning point: ${move} lost ${percent}% of your winning chances.`,
    noTurningPoint: "No single move lost this game.",
    find: "Find a better move",
    playAgain: "Continue from there",
    /** @param {string} move @param {string} reason */
    because: (move, reason) => `${move}: ${reason}`,
    /** @param {number} done @param {number} all */
    judging: (done, all) => `Reviewing the game: ${done} of ${all} positions`,
    broken: "This link does not contain a game that can be reviewed.",
    whose: "Show",
    /** @param {string} side */
    mistakesOf: (side) => `${side}’s mistakes`,
    accuracy: "Accuracy",
    inaccuracies: "Inaccu\u00ADracies",
    mistakes: "Mistakes",
    blunders: "Blunders",
    /** Names of the kinds of moves. */
    kinds: { good: "Good move", inaccuracy: "Inaccuracy", mistake: "Mistake", blunder: "Blunder" },
    player: "Player",
    noMoves: "–",
    /** @param {number} percent */
    percent: (percent) => `${percent}%`,
    how: "How this is calculated",
    counting:
      "The engine evaluates every position. A move that loses 5% of the winning chances is an inaccuracy, 10% a " +
      "mistake, 15% a blunder. Moves in lost positions do not count towards the accuracy.",
    /** @param {number} at @param {number} all */
    progress: (at, all) => `Mistake ${at} of ${all}`,
    /** @param {string} side @param {string} move */
    ask: (side, move) => `${side} played ${move}. Find a better move.`,
    checking: "Checking your move …",
    /** @param {string} move */
    right: (move) => `Yes: ${move} is good.`,
    /** @param {string} move */
    best: (move) => `Yes: ${move} is the best move.`,
    /** @param {string} move @param {string} answer */
    refuted: (move, answer) => `${move} does not help: the reply is ${answer}.`,
    /** @param {string} move */
    same: (move) => `${move} was played in the game. Find another move.`,
    /** @param {string} move */
    worse: (move) => `${move} is not good enough.`,
    /** @param {string} move */
    solution: (move) => `${move} was better.`,
    line: "Continuation",
    again: "Try again",
    show: "Show the better move",
    next: "Next mistake",
    finish: "Finish",
    /** @param {string} side */
    none: (side) => `No mistakes by ${side}. Well played!`,
    done: "That was the last mistake.",
    /** @param {number} found @param {number} all */
    found: (found, all) => `You found ${found} of ${all}.`,
    restart: "Start over",
    analyse: "Analyse the game",
    newGame: "New game",
  },
  settings: {
    title: "Settings",
    language: "Language",
    browserLanguage: "Browser language",
    look: "Appearance",
    theme: "Theme",
    themes: { system: "System", light: "Light", dark: "Dark", contrast: "High contrast" },
    board: "Board",
    boards: { wood: "Wood", maple: "Maple", green: "Green", blue: "Blue", slate: "Slate" },
    pieces: "Pieces",
    pieceSets: { turned: "3D", flat: "Flat", stone: "Stone" },
    colours: "Jump61 colours",
    palettes: { classic: "Classic", soft: "Soft", safe: "Colour-blind safe" },
    coordinates: "Coordinates",
    movement: "Animation",
    slide: "Pieces",
    slides: { 0: "Off", 120: "Fast", 200: "Normal", 400: "Slow" },
    cascades: "Cascades",
    speeds: { 0: "Off", 120: "Fast", 250: "Normal", 600: "Slow", "-250": "One wave at a time" },
    playing: "Play",
    premoves: "Premoves",
    sound: "Sound",
    soundOn: "Turn sound on",
    soundOff: "Turn sound off",
    volume: "Volume",
  },
  /** Clocks, the archive, the shared board, the opening explorer. */
  server: {
    /** @param {string} side */
    clockOf: (side) => `${side}’s clock`,
    loading: "Loading …",
    result: "Result",
    allGames: "All games",
    allResults: "All results",
    noMatch: "No finished game matches this filter.",
    showAll: "Show all games",
    /** @param {string} day */
    reviewOf: (day) => `Review the game of ${day}`,
    noGames: "Your finished games will be listed here.",
    /** @param {number} count */
    moreGames: (count) => `Show more (${count})`,
    results: { won: "You won", lost: "You lost", draw: "Draw" },
    /** @param {string | null} side */
    wonBy: (side) => (side === null ? "Draw" : `${side} won`),
    /** @type {Record<string, string>} */
    reasons: {
      board: "",
      stuck: "no legal moves",
      limit: "move limit",
      repetition: "by repetition",
      quiet: "no progress",
      resigned: "by resignation",
      time: "on time",
      agreed: "by agreement",
    },
    /** @param {string | null} level */
    engine: (level) => (level === null ? "Engine" : `Engine, level ${level}`),
    /** @param {string} opponent */
    against: (opponent) => `against ${opponent}`,
    /** @param {string} day */
    forget: (day) => `Delete the game of ${day}`,
    forgetForGood: "Delete for good",
    invite: "Invite to this board",
    inviteHow: "Anyone on your network who opens this link takes the free seat or watches.",
    code: "QR code of the link",
    link: "Link",
    copyLink: "Copy link",
    copied: "Link copied.",
    notCopied: "Select the link and copy it.",
    freeSeat: "Free seat",
    player: "Player",
    opponent: "Opponent",
    youWatch: "You are watching.",
    /** @param {string} side */
    away: (side) => `${side} has lost the connection.`,
    /** @param {string} side */
    waiting: (side) => `Waiting for someone to play ${side}.`,
    /** @param {string} side */
    sit: (side) => `Play ${side}`,
    stand: "Leave the board",
    /** @param {number} count */
    watching: (count) => (count === 1 ? "1 spectator" : `${count} spectators`),
    asked: "Takeback requested. Your opponent can accept it or play on.",
    asks: "Your opponent requests a takeback. Accept it, or play on.",
    offerDraw: "Offer draw",
    acceptDraw: "Accept draw",
    drawOffered: "Draw offered. Your opponent can accept it or play on.",
    drawAsked: "Your opponent offers a draw. Accept it, or play on.",
    yourName: "Your name",
    /** @param {string} name */
    ownName: (name) => `${name} (you)`,
    agree: "Accept takeback",
    explorer: "Opening explorer",
    sources: { people: "Your games", engines: "Engine games", files: "Imported games" },
    counting: "Counting games …",
    nothingHere: "No games with this position.",
    move: "Move",
    games: "Games",
    /** @param {string} side */
    resultsFor: (side) => `Results for ${side}`,
    /** @param {number} wins @param {number} draws @param {number} losses */
    shares: (wins, draws, losses) => `${wins} won, ${draws} drawn, ${losses} lost`,
  },
  words: {
    /** @param {string} side */
    newGame: (side) => `New game. ${side} to move.`,
    /** @param {string} mover @param {string} from @param {string} to */
    moved: (mover, from, to) => `${mover}: ${from} to ${to}.`,
    /** @param {string} mover @param {string} square */
    played: (mover, square) => `${mover}: ${square}.`,
    /** @param {string} side */
    toMove: (side) => `${side} to move.`,
    /** @param {string} side @param {number} moves */
    winsIn: (side, moves) => `${side} wins in ${moves === 1 ? "1 move" : `${moves} moves`}`,
  },
  // Questions in the field for moves, for people who do not see the board.
  commands: {
    /** @param {string} move */
    placeholder: (move) => `${move} or help`,
    words: {
      legal: "legal moves",
      last: "last",
      clock: "clock time",
      board: "board",
      pieces: "pieces",
      scan: "scan",
      help: "help ?",
    },
    /** @param {number} count @param {string} moves */
    legal: (count, moves) => `${count} legal ${count === 1 ? "move" : "moves"}: ${moves}`,
    noMove: "No legal move.",
    noClock: "This game has no clock.",
    noLine: "Name a row or a column, as in “scan 4”.",
    empty: "empty",
    /** @param {string} side */
    low: (side) => `${side} has less than 10 seconds.`,
    helpText:
      "legal: the legal moves; legal d1: those of a square\nlast: the last move\nclock: the clocks\n" +
      "board: the board by rows\npieces: the pieces\nscan 4: one row or column",
  },
  analysis: {
    title: "Analysis",
    board: "Board",
    boardName: "Analysis board",
    tools: "Tools",
    settingUp: "Setting up the board …",
    startOver: "New analysis",
    /** @param {string} side */
    toMove: (side) => `${side} to move`,
    /** @param {string} reason */
    badLink: (reason) => `This link does not contain a legal game: ${reason}`,
    opened: "Opened.",
    undo: "Undo",
    undone: "The previous analysis has been restored.",
    tooLong: "That is too long: 256 kB at most.",

    engine: "Engine",
    lines: "Lines",
    fewer: "Fewer lines",
    more: "More lines",
    threat: "Threat",
    threatTitle: "Show the threat: what happens if the side to move passes (X)",
    /** @param {string} side */
    ifPasses: (side) => `If ${side} passes:`,
    thinking: "Thinking …",
    noOpinion: "The engine has no evaluation of this position.",
    engineOff: "Engine off",
    /** @param {number} depth */
    depth: (depth) => `depth ${depth}`,
    /** @param {string} nodes */
    positions: (nodes) => `${nodes} positions`,
    /** @param {string} rate */
    rate: (rate) => `${rate}/s`,
    /** @param {string} side @param {number} moves */
    proven: (side, moves) => `Proven: ${side} wins in ${moves === 1 ? "1 move" : `${moves} moves`}`,
    /** @param {string} value */
    evaluation: (value) => `Evaluation: ${value}`,
    noEvaluation: "No evaluation yet",
    /** @param {string} result */
    result: (result) => `Result: ${result}`,
    evaluations: "Engine lines",

    moves: "Moves",
    noMoves: "Make moves on the board. A move that differs from the line starts a variation.",
    first: "First move",
    back: "Back",
    next: "Forward",
    last: "Last move",
    flip: "Flip board",
    groups: "Show groups",
    newAnalysis: "New analysis",
    editPosition: "Set up position",
    playOn: "Play from here",

    notes: "Notes",
    mark: "Mark this move",
    marks: {
      "!": "Good move",
      "!!": "Brilliant move",
      "!?": "Interesting move",
      "?!": "Dubious move",
      "?": "Mistake",
      "??": "Blunder",
    },
    comment: "Comment",
    commentHint: "What is the idea here?",
    promote: "Make main line",
    remove: "Delete from here",
    clearShapes: "Clear drawings",
    drawHint: "Right-click and drag to draw arrows; on a touchscreen, press and hold.",

    review: "Review",
    reviewGame: "Review the game",
    /** @param {number} done @param {number} all */
    reviewing: (done, all) => `Reviewing the game: ${done} of ${all} positions …`,
    reviewHint: "The engine evaluates every position and marks inaccuracies, mistakes and blunders.",
    trainer: "Learn from the mistakes",
    /** @param {string} side */
    graph: (side) => `Evaluation after each move: higher is better for ${side}`,

    explorer: "Explorer",

    proof: "Proof",
    prove: "Prove it",
    proveHint:
      "Searches this position for a forced win by either side. You can keep analysing while the search runs.",
    /** @param {string} nodes @param {number} seconds */
    proving: (nodes, seconds) => `Searching: ${nodes} positions, ${seconds} s`,
    proofWaits: "Waiting for another proof to finish …",
    stopProof: "Stop",
    /** @param {string} nodes */
    notProven: (nodes) => `No proof within ${nodes} positions.`,
    /** @param {number} ply */
    provenPosition: (ply) =>
      ply === 0 ? "Proof for the start position" : `Proof for the position after move ${ply}`,
    /** The source of a known result: a search, a book or tables. */
    known: {
      search: {
        /** @param {string} side @param {number} moves */
        wins: (side, moves) => `Proven: ${side} wins in ${moves === 1 ? "1 move" : `${moves} moves`}.`,
        draw: "Proven: neither side can force a win.",
      },
      book: {
        /** @param {string} side @param {number} moves */
        wins: (side, moves) => `Proven (book): ${side} wins in ${moves === 1 ? "1 move" : `${moves} moves`}.`,
        draw: "Proven (book): a draw.",
      },
      tables: {
        /** @param {string} side @param {number} moves */
        wins: (side, moves) => `Endgame tables: ${side} wins in ${moves === 1 ? "1 move" : `${moves} moves`}.`,
        draw: "Endgame tables: a draw.",
      },
    },
    /** @param {number} moves */
    inMoves: (moves) => (moves === 1 ? "1 move" : `${moves} moves`),
    notAgain: "proven, but too long to show",
    /** @param {number} count */
    moreReplies: (count) => (count === 1 ? "1 more reply" : `${count} more replies`),
    /** @param {string} reply @param {string} answer */
    repliesAfter: (reply, answer) => `Replies after ${reply} ${answer}`,

    share: "Share",
    game: "Game",
    size: "Board",
    /** @param {number} size */
    sizeOf: (size) => `${size} × ${size}`,
    start: "Start",
    startHint: "This replaces the current analysis. You can undo it.",
  },
  editor: {
    title: "Set up position",
    board: "Board",
    boardName: "Position being set up",
    tools: "Pieces and side to move",
    brushes: "Piece to place",
    hint:
      "Click or drag over squares to place pieces. Drag a piece to move it. " +
      "To erase a piece, drag it off the board or right-click it.",
    game: "Game",
    size: "Board",
    /** @param {number} size */
    sizeOf: (size) => `${size} × ${size}`,
    toMove: "To move",
    start: "Start position",
    clear: "Clear board",
    cancel: "Cancel",
    done: "Analyse",
  },
  /** A tournament that is being watched. */
  arena: {
    none: "This server shows no tournament. To watch one, run `plyhouse arena watch`.",
    states: {
      waiting: "Waiting for the tournament to begin …",
      running: "Running",
      stopped: "Stopped: no program is running it. Resume it with `plyhouse arena resume`.",
      over: "Over",
    },
    /** @param {string} name */
    winner: (name) => `Over. Winner: ${name}`,
    /** @param {string} names */
    winners: (names) => `Over. First place shared by ${names}`,
    /** @param {string} why */
    trouble: (why) => `The tournament cannot be read: ${why}`,
    /** @param {number} count */
    damaged: (count) =>
      count === 1 ? "1 damaged game does not count." : `${count} damaged games do not count.`,
    /** @type {Record<string, string>} */
    formats: {
      "round-robin": "Round-robin",
      gauntlet: "Gauntlet",
      match: "Match",
      swiss: "Swiss",
      knockout: "Knockout",
    },
    /** @param {number} number @param {number} all */
    round: (number, all) => `round ${number} of ${all}`,
    games: "Games",
    /** @param {number} count @param {number} all */
    of: (count, all) => `${count} of ${all}`,
    /** @param {number} played @param {number} planned */
    progress: (played, planned) => `${played} of ${planned} games played`,
    perMinute: "Games/\u200bmin",
    left: "Time left",
    boards: "Boards",
    noBoards: "No game is in progress.",
    /** @param {number} count */
    more: (count) => (count === 1 ? "1 more board is not shown." : `${count} more boards are not shown.`),
    /** @param {number} number */
    game: (number) => `Game ${number}`,
    /** @param {number} number @param {string} first @param {string} second */
    gameOf: (number, first, second) => `Game ${number}: ${first} against ${second}`,
    /** @param {number} plies */
    after: (plies) => (plies === 1 ? "1 move" : `${plies} moves`),
    /** @param {string} game */
    open: (game) => `${game}: all moves`,
    going: "In progress",
    drawn: "Draw",
    /** @param {string} name */
    won: (name) => `${name} won`,
    /** @param {string} winner @param {string} loser */
    beat: (winner, loser) => `${winner} beat ${loser}`,
    /** @param {string} first @param {string} second */
    between: (first, second) => `${first} and ${second} drew`,
    /** Endings of games and kinds of faults, by their names in the store. @type {Record<string, string>} */
    endings: {
      win: "by the rules",
      "win by scores": "adjudicated by scores",
      "tie by scores": "adjudicated by scores",
      "win by proof": "adjudicated by proof",
      "tie by proof": "adjudicated by proof",
      "illegal move": "illegal move",
      "unreadable answer": "unreadable answer",
      stall: "no answer",
      crash: "crash",
      "no start": "did not start",
      "false claim": "false claim",
      "answered unasked": "answered unasked",
      memory: "too much memory",
      processes: "too many processes",
      "processor time": "too much processor time",
      disk: "wrote too much to disk",
      output: "too much output",
    },
    standings: "Standings",
    place: "Place",
    agent: "Agent",
    played: "Games",
    results: "Won / drawn / lost",
    points: "Points",
    buchholz: "Buchholz",
    faults: "Faults",
    eloNote: "Elo relative to the average; ± is the 95% interval.",
    workers: "Workers",
    noWorkers: "No worker is connected.",
    worker: "Worker",
    itself: "This tournament’s program",
    busy: "Playing",
    done: "Played",
    failed: "Failed",
    /** @param {number} seconds */
    silent: (seconds) => `last seen ${seconds} s ago`,
    recent: "Last results",
  },
  /** The dialog for sharing a game. */
  sharing: {
    game: "Game",
    position: "Position on the board",
    /** @param {string} moves */
    after: (moves) => `Position after ${moves}`,
    /** @param {string} format */
    file: (format) => `Save ${format}`,
    film: "Animated GIF",
    picture: "Picture (PNG)",
    networkLink: "Link for devices on your network",
    /** @param {number} done @param {number} all */
    drawing: (done, all) => `Drawing position ${done} of ${all} …`,
    /** @param {string} name */
    saved: (name) => `Saved as ${name}.`,
    byHand: "This browser blocks copying. Select this text and copy it.",
    failed: "That did not work. Please try again.",
  },
  exchange: {
    title: "Share & export",
    paste: "Paste a game",
    pasteHint: "Moves, a position, an SGF file, a line of a tournament export, or a link",
    open: "Open",
    openFile: "Open file",
    copyPosition: "Copy position",
    copyMoves: "Copy moves",
    /** @param {string} format */
    copyFile: (format) => `Copy ${format}`,
    copyGame: "Copy game",
    download: "Download",
    copyLink: "Copy link",
    pictures: "Pictures",
    save: "Save in this browser",
    saved: "Saved in this browser.",
    savedGames: "Saved games",
    /** @param {string} name */
    forget: (name) => `Delete ${name}`,
    copied: "Copied to the clipboard.",
    copyByHand: "Select the text above and copy it.",
    /** @param {string} name */
    unknownCharset: (name) =>
      `The file has the character set ${name}, which this browser does not support. Save it as UTF-8.`,
    /** @param {string} title @param {number} moves @param {string} when */
    savedName: (title, moves, when) => `${title}, ${moves === 1 ? "1 move" : `${moves} moves`}, ${when}`,
  },
};
