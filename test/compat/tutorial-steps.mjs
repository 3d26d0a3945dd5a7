/**
 * Reads docs/tutorial.md as its reader does: in its order, each block is a file, an edit, or commands with what they
 * print. What is none of these is an error, so that no block stands there untested.
 */

const blocks = /^```(\w+)\n([^]*?)^```$/gm;
/** The line by which a block names its file, in the comment of its language. */
const name = /^(?:\/\/|#|--|<!--) ([\w./-]+?)(?: -->)?\n/;

/** The steps of a page or a chapter, in their order. */
export function readSteps(page) {
  return [...page.matchAll(blocks)].map(({ 1: language, 2: text, index }) => {
    const line = page.slice(0, index).split('\n').length;
    if (language === 'sh')
      return { kind: 'commands', commands: [{ command: text.trimEnd() }], line };
    if (language === 'console')
      return { kind: 'commands', commands: readConsole(text, line), line };
    if (language === 'diff') return { kind: 'edit', ...readEdit(text, line), line };
    const [first, path] = name.exec(text) ?? [];
    if (path === undefined)
      throw new Error(`Line ${line}: the block names no file in its first line.`);
    return { kind: 'file', path, text: text.slice(first.length), line };
  });
}

/** Each `$` begins a command; what stands below it is its output. */
function readConsole(text, line) {
  const [before, ...entries] = `\n${text}`.split(/\n\$ /);
  if (before.trim() !== '') throw new Error(`Line ${line}: the block does not begin with $.`);
  return entries.map((entry) => {
    const [, command, output] = /^((?:.*\\\n)*.*)\n?([^]*)$/.exec(entry);
    return { command, output: output.trimEnd() };
  });
}

/** `+++ path`, then hunks: lines with a space, `-` or `+`; `@@` alone begins the next hunk. */
function readEdit(text, line) {
  const [first, ...lines] = text.trimEnd().split('\n');
  const [, path] = /^\+\+\+ (\S+)$/.exec(first) ?? [];
  if (path === undefined)
    throw new Error(`Line ${line}: the edit names no file in its first line.`);
  const hunks = lines
    .join('\n')
    .split(/^@@\n/m)
    .map((hunk) => {
      const parts = hunk.replace(/\n$/, '').split('\n');
      const side = (without) =>
        parts
          .filter((part) => !part.startsWith(without))
          .map((part) => `${part.slice(1)}\n`)
          .join('');
      return { before: side('+'), after: side('-') };
    });
  return { path, hunks };
}

/** The file after an edit. What an edit does not find exactly once is an error. */
export function applyEdit(text, { path, hunks, line }) {
  return hunks.reduce((edited, { before, after }) => {
    const places = findLines(edited, before);
    if (places.length !== 1)
      throw new Error(`Line ${line}: ${path} has this ${places.length} times:\n${before}`);
    return edited.slice(0, places[0]) + after + edited.slice(places[0] + before.length);
  }, text);
}

/** Where whole lines stand in a text. */
function findLines(text, lines) {
  const places = [];
  for (let at = text.indexOf(lines); at !== -1; at = text.indexOf(lines, at + 1))
    if (at === 0 || text[at - 1] === '\n') places.push(at);
  return places;
}

/** The files as the text leaves them, without a command. */
export function writeFiles(steps) {
  const files = new Map();
  for (const step of steps) {
    if (step.kind === 'file') files.set(step.path, step.text);
    if (step.kind === 'edit') {
      const text = files.get(step.path);
      if (text === undefined) throw new Error(`Line ${step.line}: there is no ${step.path} yet.`);
      files.set(step.path, applyEdit(text, step));
    }
  }
  return files;
}

/** Whether a command printed what the text shows: `…` stands for any text, and an id for any id. */
export function isShown(shown, printed) {
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  const bare = (text) =>
    text
      .replaceAll(id, 'ID')
      .replaceAll(/[^\S\n]+$/gm, '')
      .trim();
  const pattern = bare(shown)
    .split('…')
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
    .join('[^]*?');
  return new RegExp(`^${pattern}$`).test(bare(printed));
}
