/** What the window of an `@xterm/headless` terminal shows, as an SVG that needs no font, style sheet or script from elsewhere. */

const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 18;
const PADDING = 14;
const TITLE_HEIGHT = 30;

export const background = '#16181d';
const foreground = '#d8dbe2';
const frame = '#2b2f38';

/** The 16 colours of a terminal. */
const palette = (
  '#16181d #f2777a #8fd18a #e5c06d #74a8f0 #cf9bf0 #5fc8d0 #d8dbe2 ' +
  '#6b7280 #ff9396 #a8e6a3 #f4d58d #93bdf7 #deb6f8 #84dee4 #ffffff'
).split(' ');

/** The SVG of a window, with a title for those who do not see it. */
export function toTerminalSvg(terminal, title) {
  const width = Math.ceil(terminal.cols * CELL_WIDTH + 2 * PADDING);
  const height = Math.ceil(terminal.rows * LINE_HEIGHT + TITLE_HEIGHT + PADDING);
  const rows = Array.from({ length: terminal.rows }, (_, row) =>
    toRuns(terminal, row)
      .map((run) => toRunSvg(run, row))
      .join(''),
  );
  const name = escapeXml(title);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${name}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${background}"/>`,
    `<path d="M0 8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v14H0z" fill="${frame}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    `<text x="${width / 2}" y="15.5" font-size="12" text-anchor="middle" fill="#9aa2b1">${name}</text>`,
    ...rows.filter((row) => row !== ''),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** The cells of a row, those beside each other in one style together. */
function toRuns(terminal, row) {
  const { active } = terminal.buffer;
  const line = active.getLine(active.viewportY + row);
  const runs = [];
  for (let column = 0; column < terminal.cols; column++) {
    const cell = line?.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const style = toStyle(cell);
    const character = { text: cell.getChars() || ' ', columns: cell.getWidth() };
    const last = runs.at(-1);
    if (last && last.key === style.key) last.characters.push(character);
    else runs.push({ ...style, column, characters: [character] });
  }
  return runs;
}

function toStyle(cell) {
  const own = cell.isFgDefault() ? undefined : toColor(cell.isFgRGB(), cell.getFgColor());
  const behind = cell.isBgDefault() ? undefined : toColor(cell.isBgRGB(), cell.getBgColor());
  const isInverse = cell.isInverse() !== 0;
  const style = {
    fore: isInverse ? (behind ?? background) : (own ?? foreground),
    back: isInverse ? (own ?? foreground) : behind,
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
    isUnderlined: cell.isUnderline() !== 0,
  };
  return { ...style, key: JSON.stringify(style) };
}

function toColor(isRgb, value) {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  if (value < 16) return palette[value];
  if (value >= 232) return toHex(Array(3).fill(8 + (value - 232) * 10));
  const steps = [0, 95, 135, 175, 215, 255];
  const index = value - 16;
  return toHex([steps[Math.floor(index / 36)], steps[Math.floor(index / 6) % 6], steps[index % 6]]);
}

function toHex(parts) {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function toRunSvg({ characters, column, fore, back, isBold, isDim, isUnderlined }, row) {
  const top = TITLE_HEIGHT + row * LINE_HEIGHT;
  const rect =
    back === undefined
      ? ''
      : `<rect x="${toX(column)}" y="${top}" width="${round(countColumns(characters) * CELL_WIDTH)}" height="${LINE_HEIGHT}" fill="${back}"/>`;
  const start = characters.findIndex(isInk);
  if (start === -1) return rect;
  const shown = characters.slice(start, characters.findLastIndex(isInk) + 1);
  const attributes = [
    `x="${toX(column + start)}"`,
    `y="${top + 13.5}"`,
    `textLength="${round(countColumns(shown) * CELL_WIDTH)}"`,
    `fill="${fore}"`,
    ...(isBold ? ['font-weight="bold"'] : []),
    ...(isDim ? ['opacity="0.6"'] : []),
    ...(isUnderlined ? ['text-decoration="underline"'] : []),
  ];
  // Browsers no longer heed `xml:space`, and would make one space of several.
  const text = shown
    .map((character) => character.text)
    .join('')
    .replaceAll(/ (?= )/g, '\u00a0');
  return `${rect}<text ${attributes.join(' ')}>${escapeXml(text)}</text>`;
}

function isInk({ text }) {
  return text.trim() !== '';
}

function countColumns(characters) {
  return characters.reduce((sum, { columns }) => sum + columns, 0);
}

function toX(column) {
  return round(PADDING + column * CELL_WIDTH);
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function escapeXml(text) {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character]);
}
