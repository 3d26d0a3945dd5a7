/** Differences of what two builds gave, and what `accepted.md` says of them. */
import { diffArrays } from 'diff';

/**
 * Walks two values of JSON: `[{name, before, after}]`, a difference each, named by its place. A text of several lines, and a list that
 * has grown, give one for each run of changed lines; a text that is JSON is walked, too.
 */
export function toDifferences(name, before, after) {
  if (before === after) return [];
  if (typeof before === 'string' && typeof after === 'string')
    return differTexts(name, before, after);
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after))
    return [{ name, before: toText(before), after: toText(after) }];
  // A response of another status is another response: all of it is one difference.
  if (isObject(before.headers) && before.status !== after.status)
    return [{ name, before: toResponseText(before), after: toResponseText(after) }];
  if (Array.isArray(before) && before.length !== after.length)
    return differLines(`${name}[]`, before.map(toText), after.map(toText));
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => toDifferences(`${name}.${key}`, before[key], after[key]));
}

function differTexts(name, before, after) {
  const [old, now] = [parse(before), parse(after)];
  if (isObject(old) && isObject(now)) {
    const found = toDifferences(name, old, now);
    // The same value, written otherwise.
    return found.length > 0 ? found : [{ name: `${name} (spaces)`, before, after }];
  }
  return differLines(name, before.split('\n'), after.split('\n'));
}

function differLines(name, before, after) {
  const found = [];
  let isOpen = false;
  for (const { value, added, removed } of diffArrays(before, after)) {
    if (!added && !removed) isOpen = false;
    else {
      if (!isOpen) found.push({ name, before: '', after: '' });
      isOpen = true;
      found.at(-1)[added ? 'after' : 'before'] = value.join('\n');
    }
  }
  return found;
}

function parse(text) {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

function toText(value) {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '(nothing)');
}

function toResponseText({ status, headers, body }) {
  return `${status} ${body} ${JSON.stringify(headers)}`;
}

/** A difference in one line, which the patterns of `accepted.md` are held against. */
export function toLine({ name, before, after }) {
  return `${name}: ${before} → ${after}`.replaceAll(/\s*\n\s*/g, ' ⏎ ');
}

/** The lines `` - `pattern`: "sentence" `` of a page: `[{line, pattern, sentence, matches}]`. */
export function parseAccepted(text) {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('- ')) return [];
    const [, pattern, sentence] = /^- `([^`]+)`: "(.+)"$/.exec(line) ?? [];
    if (pattern === undefined)
      throw new Error(`accepted.md: a line is not of the form - \`pattern\`: "sentence"\n${line}`);
    const parts = pattern
      .split('*')
      .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
    const expression = new RegExp(`^${parts.join('.*')}`);
    return [
      { line, pattern, sentence, matches: (difference) => expression.test(toLine(difference)) },
    ];
  });
}

/** Parts the differences from those that are accepted, and finds the lines that accept none. */
export function judge(differences, accepted) {
  const used = new Set();
  const open = differences.filter((difference) => {
    const lines = accepted.filter(({ matches }) => matches(difference));
    for (const line of lines) used.add(line);
    return lines.length === 0;
  });
  return { open, unused: accepted.filter((line) => !used.has(line)) };
}

/** The first difference of each kind with the number of its like: names that differ in numbers and paths are alike. */
export function toReport(differences) {
  const kinds = new Map();
  for (const difference of differences) {
    const kind = difference.name.replaceAll(/\d+|"[^"]*"| \/.*?(?=\.(?:headers|body)|$)/g, '#');
    kinds.set(kind, [...(kinds.get(kind) ?? []), difference]);
  }
  return [...kinds.values()].map(([first, ...more]) => {
    const like = more.length === 0 ? '' : `  (and ${more.length} like it)`;
    return `${first.name}${like}\n${indent('-', first.before)}\n${indent('+', first.after)}\n`;
  });
}

function indent(mark, text) {
  const lines = text.split('\n');
  const shown =
    lines.length > 12 ? [...lines.slice(0, 12), `… ${lines.length - 12} lines more`] : lines;
  return shown
    .map((line) => `  ${mark} ${line.length > 400 ? `${line.slice(0, 400)}…` : line}`)
    .join('\n');
}
