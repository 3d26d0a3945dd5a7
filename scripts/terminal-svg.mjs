/** What the window of an `@xterm/headless` terminal shows, as an SVG that needs nothing from elsewhere. */

const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 18;
const PADDING = 14;
const TITLE_HEIGHT = 30;

export const background = '#16181d';
const foreground = '#d8dbe2';
/** The 16 colours of a terminal. */
const palette = (
  '#16181d #f2777a #8fd18a #e5c06d #74a8f0 #cf9bf0 #5fc8d0 #d8dbe2 ' +
  '#6b7280 #ff9396 #a8e6a3 #f4d58d #93bdf7 #deb6f8 #84dee4 #ffffff'
).split(' ');

/** The SVG of a window, with a title for those who do not see it. */
export function toTerminalSvg(terminal, title) {
  const width = Math.ceil(terminal.cols * CELL_WIDTH + 2 * PADDING);
  const height = Math.ceil(terminal.rows * LINE_HEIGHT + TITLE_HEIGHT + PADDING);
  const rows = Array.from({ length: terminal.rows }, (_, row) => toRuns(terminal, row).map((run) => toSvg(run, row)));
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">
<title>${escapeXml(title)}</title>
<rect width="${width}" height="${height}" rx="8" fill="${background}"/>
<path d="M0 8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v14H0z" fill="#2b2f38"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<text x="${width / 2}" y="15.5" font-size="12" text-anchor="middle" fill="#9aa2b1">${escapeXml(title)}</text>
${rows.flat().join('\n')}
</g>
</svg>
`;
}

/** The cells of a row, those beside each other in one style together. */
function toRuns(terminal, row) {
  const { active } = terminal.buffer;
  const line = active.getLine(active.viewportY + row);
  const runs = [];
  for (let column = 0; column < terminal.cols; column++) {
    const cell = line?.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const fore = cell.isFgDefault() ? foreground : toColor(cell.isFgRGB(), cell.getFgColor());
    const back = cell.isBgDefault() ? background : toColor(cell.isBgRGB(), cell.getBgColor());
    const [ink, paper] = cell.isInverse() ? [back, fore] : [fore, back];
    const [isBold, isDim, columns] = [cell.isBold() !== 0, cell.isDim() !== 0, cell.getWidth()];
    const style = [ink, paper, isBold, isDim].join();
    const text = cell.getChars() || ' ';
    const last = runs.at(-1);
    if (last?.style !== style) runs.push({ style, ink, paper, isBold, isDim, column, columns, text });
    else Object.assign(last, { text: last.text + text, columns: last.columns + columns });
  }
  return runs.filter(({ text, paper }) => text.trim() !== '' || paper !== background);
}

function toColor(isRgb, value) {
  return isRgb ? `#${value.toString(16).padStart(6, '0')}` : (palette[value] ?? foreground);
}

function toSvg({ column, columns, text, ink, paper, isBold, isDim }, row) {
  const [x, y] = [round(PADDING + column * CELL_WIDTH), TITLE_HEIGHT + row * LINE_HEIGHT];
  const length = round(columns * CELL_WIDTH);
  const rect =
    paper === background ? '' : `<rect x="${x}" y="${y}" width="${length}" height="${LINE_HEIGHT}" fill="${paper}"/>`;
  const look = `fill="${ink}"${isBold ? ' font-weight="bold"' : ''}${isDim ? ' opacity="0.6"' : ''}`;
  // Browsers no longer heed `xml:space`, and would make one space of several.
  const shown = escapeXml(text).replaceAll(' ', '\u00a0');
  return `${rect}<text x="${x}" y="${y + 13.5}" textLength="${length}" ${look}>${shown}</text>`;
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function escapeXml(text) {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character]);
}
