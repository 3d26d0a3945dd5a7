/**
 * Writes the names of all actions that have keys: `docs/keys.md` for people, and `source/kit/keys/action-names.ts`, which the file of a user is held
 * to. They are read from the key tables of the sources. `--check` only compares.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript-5.9';
import { importSource } from './import-source.mjs';
import { root, writeFile, writePage } from './write-page.mjs';

const { toActionName } = await importSource(join(root, 'source', 'kit', 'keys', 'own-keys.ts'));
const { tokens } = await importSource(join(root, 'source', 'kit', 'theme', 'tokens.ts'));

const parsed = new Map();
const actions = findActions();
const names = [...actions.keys()].sort();

writeFile(
  'source/kit/keys/action-names.ts',
  `/** The names of all actions that have keys. Written by \`npm run docs\` from the key tables; do not edit it. */
export const actionNames: readonly string[] = [
${names.map((name) => `  '${name}',`).join('\n')}
];
`,
);

writePage('keys.md', `${[introduction(), ...toSections()].join('\n\n')}\n`);

/** Each `useKeys({ title, scope, bindings })` of the sources, and the tables that it can have. */
function findActions() {
  const found = new Map();
  for (const file of listSources(join(root, 'source'))) {
    visit(parse(file), (node) => {
      if (!ts.isCallExpression(node) || node.expression.getText() !== 'useKeys') return;
      const options = node.arguments[0];
      if (options === undefined || !ts.isObjectLiteralExpression(options)) return;
      const scope = findText(options, 'scope') ?? findText(options, 'title');
      if (scope === undefined) throw new Error(`${file}: useKeys has neither a scope nor a title of its own.`);
      for (const binding of collectBindings(findProperty(options, 'bindings'), { file, seen: new Set() }))
        addAction(found, scope, binding);
    });
  }
  return found;
}

function addAction(found, scope, { action, keys, help }) {
  const name = toActionName(scope, action);
  const known = found.get(name) ?? { keys: new Set(), help };
  for (const key of keys) known.keys.add(key);
  found.set(name, { keys: known.keys, help: known.help ?? help });
}

/** The objects with an `action` that an expression leads to, by names of its file and by names that are imported. */
function collectBindings(expression, place) {
  const found = [];
  const follow = (node) => {
    if (ts.isObjectLiteralExpression(node) && findText(node, 'action') !== undefined) {
      const keys = findProperty(node, 'keys');
      const list = keys !== undefined && ts.isArrayLiteralExpression(keys) ? keys.elements : [];
      const texts = list.filter((key) => ts.isStringLiteralLike(key)).map((key) => key.text);
      found.push({ action: findText(node, 'action'), keys: texts, help: findText(node, 'help') });
      return;
    }
    if (ts.isIdentifier(node)) found.push(...followName(node.text, place));
    ts.forEachChild(node, follow);
  };
  if (expression !== undefined) follow(expression);
  return found;
}

function followName(name, { file, seen }) {
  const id = `${file} ${name}`;
  if (seen.has(id)) return [];
  seen.add(id);
  const source = parse(file);
  let found = [];
  visit(source, (node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name && node.initializer)
      found = [...found, ...collectBindings(node.initializer, { file, seen })];
    if (ts.isImportSpecifier(node) && node.name.text === name) {
      const from = node.parent.parent.parent.moduleSpecifier.text;
      const original = (node.propertyName ?? node.name).text;
      if (from.startsWith('.')) found = [...found, ...followName(original, { file: join(dirname(file), from), seen })];
    }
  });
  return found;
}

function findProperty(object, name) {
  for (const property of object.properties) {
    if (property.name?.getText() !== name) continue;
    if (ts.isPropertyAssignment(property)) return property.initializer;
    if (ts.isShorthandPropertyAssignment(property)) return property.name;
  }
  return undefined;
}

function findText(object, name) {
  const value = findProperty(object, name);
  return value !== undefined && ts.isStringLiteralLike(value) ? value.text : undefined;
}

function visit(node, look) {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

function parse(file) {
  if (!parsed.has(file))
    parsed.set(file, ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return parsed.get(file);
}

function listSources(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'utf8').includes('useKeys'))
    .sort();
}

function introduction() {
  return `# Own keys and colours

Written by \`npm run docs\` from the key tables of the screens; do not edit it.

The screens read \`~/.config/capix/config.json\` when they open (\`$XDG_CONFIG_HOME/capix/config.json\` where that is set, \`%APPDATA%\\capix\\config.json\` on Windows):

\`\`\`json
{
  "keys": { "capability.call": "x", "everywhere.leave": ["Q", "ctrl+q"], "move.down": ["down", "n"] },
  "theme": { "accent": "magenta", "muted": { "color": "gray", "dim": false }, "key": { "color": "#5fafff", "bold": true } },
  "background": "light",
  "mouse": false,
  "start": "list"
}
\`\`\`

Every part may be left out. A file with entries that are not allowed is refused with their place, before a screen opens.

- **keys**: an action has the keys that are named here and no others. Another action of the same table that had one of them loses it. A key is a character as it is
  typed (\`c\`, \`G\`, \`?\`), \`space\`, \`enter\`, \`esc\`, \`tab\`, \`up\`, \`down\`, \`left\`, \`right\`, \`pageup\`, \`pagedown\`, \`home\`, \`end\`, \`backspace\` or \`delete\`, with \`ctrl+\`, \`alt+\` or
  \`shift+\` before it. \`ctrl+c\` always leaves. Where text is typed, a key without \`ctrl\` or \`alt\` is text, and refused here.
- **theme**: a colour, or \`color\`, \`background\`, \`bold\`, \`dim\`, \`underline\`, for each of ${Object.keys(tokens)
    .map((name) => `\`${name}\``)
    .join(', ')}. A colour is one of the terminal's
  own (\`black\`, \`red\`, \`green\`, \`yellow\`, \`blue\`, \`magenta\`, \`cyan\`, \`white\`, \`gray\`, and \`redBright\` to \`whiteBright\`), or \`#rrggbb\`. \`NO_COLOR\` comes before it.
- **background**: whether texts are drawn on \`dark\` or \`light\`. The terminal is asked, and \`COLORFGBG\` is read; say it where neither knows, which is dark.
- **mouse**: whether the screens take the wheel and the clicks; \`CAPIX_MOUSE=0\` says no, too. @default true`.replace(
    ' @default true',
    ' They do, unless it is said here.\n- **start**: the screen that `capix` alone opens in a project: `home`, `list`, `check`, `openapi` or `dev`.',
  );
}

function toSections() {
  const scopes = [...new Set(names.map((name) => name.split('.')[0]))];
  return scopes.map((scope) => {
    const rows = names
      .filter((name) => name.startsWith(`${scope}.`))
      .map((name) => {
        const { keys, help } = actions.get(name);
        const shown = [...keys]
          .filter((key) => !key.startsWith('wheel'))
          .map((key) => `\`${key === '|' ? '\\|' : key}\``);
        return `| \`${name}\` | ${shown.join(' ')} | ${help ?? ''} |`;
      });
    return [`## ${scope}`, '', '| Action | Keys | What it does |', '|---|---|---|', ...rows].join('\n');
  });
}
