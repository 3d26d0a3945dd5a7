/**
 * Draws what a terminal shows as an SVG of `<text>` elements, which every viewer draws. Several frames become a picture
 * that moves: a row that stays is drawn once, and CSS shows each row while its frames last. A viewer without animation
 * shows the last frame.
 */
const WIDTH = 8.43;
const HEIGHT = 18;
const [LEFT, TOP] = [14, 30];

const ground = '#16181d';
const plain = '#d8dbe2';
/** The sixteen colors of a terminal, as `theme` of xterm names them. */
const palette = [
  '#2b2f38',
  '#f2777a',
  '#8fd18a',
  '#e5c06d',
  '#74a8f0',
  '#c792d6',
  '#5fc8d0',
  '#d8dbe2',
  '#6b7280',
  '#f59a9c',
  '#a9e0a5',
  '#f0d48f',
  '#9cc2f7',
  '#dcb1e7',
  '#8adde3',
  '#ffffff',
];

/** Of the terminal that is drawn. */
export const background = ground;

/** The rows of the window, each as markup that stands at the top of its row. */
export function readFrame(window) {
  const { active } = window.buffer;
  return Array.from({ length: window.rows }, (_, row) =>
    toRow(active.getLine(active.viewportY + row), window.cols),
  );
}

/** A picture of the frames; each lasts `seconds`. */
export function drawFrames(frames, { title, columns, seconds = 0 }) {
  const rows = frames[0].length;
  const [width, height] = [Math.ceil(columns * WIDTH) + 2 * LEFT, rows * HEIGHT + TOP + LEFT];
  const spans = frames[0].flatMap((_, row) => toSpans(frames, row));
  const moving = [...new Set(spans.filter((span) => isMoving(span, frames)).map(toName))];
  const style = moving.map((name) => toAnimation(name, frames.length, seconds)).join('\n');
  const bar = `font-size="12" text-anchor="middle" fill="#9aa2b1"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<title>${toText(title)}</title>
${style && `<style>\n${style}\n@media (prefers-reduced-motion: reduce) { g { animation: none !important } }\n</style>\n`}<rect width="${width}" height="${height}" rx="8" fill="#2b2f38"/>
<rect y="22" width="${width}" height="${height - 22}" rx="8" fill="${ground}"/>
<text x="${width / 2}" y="15.5" ${bar}>${toText(title)}</text>
${spans.map((span) => drawSpan(span, frames)).join('\n')}
</svg>
`;
}

/** What one row shows, and from which frame to which. */
function toSpans(frames, row) {
  const spans = [];
  for (const [frame, rows] of frames.entries()) {
    const markup = rows[row];
    const last = spans.at(-1);
    if (last?.markup === markup) last.to = frame;
    else spans.push({ row, markup, from: frame, to: frame });
  }
  return spans.filter(({ markup }) => markup !== '');
}

function isMoving({ from, to }, frames) {
  return from > 0 || to < frames.length - 1;
}

function toName({ from, to }) {
  return `f${from}-${to}`;
}

function drawSpan(span, frames) {
  const place = `transform="translate(${LEFT} ${TOP + span.row * HEIGHT})"`;
  if (!isMoving(span, frames)) return `<g ${place}>${span.markup}</g>`;
  const hidden = span.to < frames.length - 1 ? ' visibility="hidden"' : '';
  return `<g class="${toName(span)}" ${place}${hidden}>${span.markup}</g>`;
}

function toAnimation(name, count, seconds) {
  const [from, to] = name.slice(1).split('-').map(Number);
  const toPercent = (frame) => `${Number(((100 * frame) / count).toFixed(2))}%`;
  const before = from > 0 ? '0% { visibility: hidden } ' : '';
  const after = to < count - 1 ? ` ${toPercent(to + 1)}, 100% { visibility: hidden }` : '';
  return (
    `.${name} { animation: ${name} ${count * seconds}s step-end infinite }\n` +
    `@keyframes ${name} { ${before}${toPercent(from)} { visibility: visible }${after} }`
  );
}

function toRow(line, columns) {
  const runs = [];
  for (let column = 0; column < columns; column++) {
    const cell = line?.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const look = toLook(cell);
    const text = cell.getChars() || ' ';
    const last = runs.at(-1);
    if (last?.look === look) {
      last.text += text;
      last.width += cell.getWidth();
    } else runs.push({ look, text, column, width: cell.getWidth() });
  }
  return runs.map(drawRun).join('');
}

function drawRun({ look, text, column, width }) {
  const { fill, back, weight } = JSON.parse(look);
  const box =
    back === undefined
      ? ''
      : `<rect x="${toX(column)}" width="${toX(width)}" height="${HEIGHT}" fill="${back}"/>`;
  const words = text.trim();
  if (words === '') return box;
  const lead = text.length - text.trimStart().length;
  const length = width - (text.length - words.length);
  const looks = `fill="${fill}"${weight}`;
  return `${box}<text x="${toX(column + lead)}" y="14" textLength="${toX(length)}" ${looks} xml:space="preserve">${toText(words)}</text>`;
}

/** How a cell looks, as a text that can be compared. */
function toLook(cell) {
  const front = toColor(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor());
  const back = toColor(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor());
  const bold = cell.isBold() ? ' font-weight="bold"' : '';
  const dim = cell.isDim() ? ' opacity="0.55"' : '';
  const line = cell.isUnderline() ? ' text-decoration="underline"' : '';
  const weight = `${bold}${dim}${line}`;
  if (cell.isInverse())
    return JSON.stringify({ fill: back ?? ground, back: front ?? plain, weight });
  return JSON.stringify({ fill: front ?? plain, back, weight });
}

function toColor(isDefault, isRgb, value) {
  if (isDefault) return undefined;
  if (!isRgb && value < palette.length) return palette[value];
  return `#${value.toString(16).padStart(6, '0')}`;
}

function toX(columns) {
  return Number((columns * WIDTH).toFixed(1));
}

function toText(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
