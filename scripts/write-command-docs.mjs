/**
 * Writes `docs/commands.md` from the help of the built commands, which is made of their options and arguments. `--check` only compares.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { root, writePage } from './write-page.mjs';

const cli = join(root, 'dist', 'cli.cjs');

writePage('commands.md', toParts(readCommands([], readHelp([]))));

/** The commands that a help lists, each with its own; those of a group of commands are in the place of the group. */
function readCommands(words, { sections }) {
  const isCommands = ([title]) => !['Arguments', 'Options', 'Example', 'Examples'].includes(title);
  return sections.filter(isCommands).flatMap(([title, lines]) =>
    toRows(lines).flatMap(([usage, summary]) => {
      // `list|ls [options]`: what follows the bar is the alias.
      const [, name, alias] = /^([^|\s]+)(?:\|(\S+))?/.exec(usage);
      const help = readHelp([...words, name]);
      const children = readCommands([...words, name], help);
      const own = { ...help, summary, short: [] };
      const short = alias === undefined ? [] : [`\`${alias}\` is short for \`${name}\``];
      return (children.length === 0 ? [own] : children).map((command) => ({
        ...command,
        group: title,
        short: [...short, ...command.short],
      }));
    }),
  );
}

/** `Usage: …`, paragraphs, and titled lists, which empty lines separate. */
function readHelp(words) {
  const text = execFileSync(process.execPath, [cli, ...words, '--help'], { encoding: 'utf8', cwd: root });
  const [usage, ...blocks] = text.trimEnd().split('\n\n');
  const isList = (block) => /^[A-Z]\w*:\n/.test(block);
  return {
    usage: usage.replace(/^Usage: /, '').replace(' [options]', ''),
    text: blocks.filter((block) => !isList(block)),
    sections: blocks.filter(isList).map((block) => {
      const [title, ...lines] = block.split('\n');
      return [title.slice(0, -1), lines];
    }),
  };
}

/** `  --port <port>  Port to listen at` as its two parts. */
function toRows(lines) {
  return lines.map((line) => /^ {2}(.+?) {2,}(.+)$/.exec(line)?.slice(1) ?? [line.trim(), '']);
}

function toParts(commands) {
  return [...new Set(commands.map(({ group }) => group))].map((title) => {
    const members = commands.filter(({ group }) => group === title);
    return `## ${title}\n\n${members.map(toCommand).join('\n\n')}`;
  });
}

function toCommand({ usage, summary, short, text, sections }) {
  const parts = sections.map(([title, lines]) => {
    if (title.startsWith('Example')) {
      return `\`\`\`sh\n${lines.map((line) => line.replace(/^ {2}\$ /, '')).join('\n')}\n\`\`\``;
    }
    const rows = toRows(lines).filter(([name]) => !name.includes('--help'));
    return toTable(title.slice(0, -1), rows);
  });
  const details = text.filter((paragraph) => paragraph !== summary);
  const paragraphs = [`${summary}.`, ...details, ...(short.length === 0 ? [] : [`${short.join('; ')}.`])].map(toProse);
  return [`### \`${usage.replace(/\|\S+/, '')}\``, ...paragraphs, ...parts].join('\n\n');
}

function toTable(title, rows) {
  const cell = (value) => value.replaceAll('|', String.raw`\|`);
  const lines = rows.map(([name, meaning]) => `| \`${cell(name)}\` | ${cell(toProse(meaning))} |`);
  return [`| ${title} | Meaning |`, '|---|---|', ...lines].join('\n');
}

/** Outside of code, what is in angle brackets would be read as HTML. */
function toProse(text) {
  return text.replaceAll(/(`[^`]*`)|</g, (_match, code) => code ?? '&lt;');
}
