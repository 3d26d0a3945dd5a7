import { columns } from './cases.mjs';
import { judge, toWorst } from './judge.mjs';

const marks = { start: '<!-- kinds -->\n', end: '<!-- end of kinds -->' };
const cells = { right: 'right', wrong: 'wrong', silent: 'silent', none: '–' };

/** The row of a program: what it does with each kind, and a note for each that is not right. */
export function toRow(program, records, facts) {
  const fatal = records.find((record) => record.fatal !== undefined);
  const verdicts = columns.map(({ title, operations }) => {
    const calls = records.filter((record) => operations.includes(record.operation));
    const verdict =
      fatal === undefined || calls.length > 0
        ? toWorst(calls.map((record) => judge(program.role, record)))
        : { outcome: 'wrong', note: fatal.fatal };
    return { title, ...verdict, remark: program.remarks?.[title] };
  });
  return { title: program.title, group: program.group, ...facts, verdicts };
}

/** The page with the table of these rows, the day, and the notes below. */
export function writeRows(page, rows, { day, node }) {
  const head = ['Program', 'Version', 'Asks for Node', ...columns.map(({ title }) => title)];
  const lines = rows.map(({ title, version, engines, verdicts }) => [
    title,
    version,
    engines ?? '–',
    ...verdicts.map(({ outcome }) => cells[outcome]),
  ]);
  const toLine = (words) => `| ${words.map((word) => word.replaceAll('|', '\\|')).join(' | ')} |`;
  const groups = [...new Set(rows.map(({ group }) => group))];
  const tables = groups.map((group) => {
    const members = rows.filter((row) => row.group === group);
    const body = lines.filter((_line, index) => members.includes(rows[index]));
    const rule = `|${'---|'.repeat(head.length)}`;
    return [`### ${group}`, '', toLine(head), rule, ...body.map(toLine), ...toNotes(members)];
  });
  const said = `Run on ${day} with Node ${node}: ${rows.length} programs.`;
  const text = [said, ...tables.map((table) => table.join('\n'))].join('\n\n');
  return `${before(page)}\n${text}\n\n${after(page)}`;
}

function toNotes(rows) {
  const notes = rows.flatMap(({ title, verdicts }) => {
    const told = verdicts.flatMap(({ title: kind, note, remark }) =>
      [note, remark].filter(Boolean).map((words) => `${kind}: ${words}`),
    );
    return told.length === 0 ? [] : [`- ${title}: ${told.join('; ')}.`];
  });
  return notes.length === 0 ? [] : ['', ...notes];
}

/** What the page says now: the outcome of each kind by the titles of program and kind, and when it was written. */
export function readRows(page) {
  const text = page.slice(before(page).length, page.indexOf(marks.end));
  const rows = new Map();
  let head = [];
  for (const line of text.split('\n').filter((each) => each.startsWith('| '))) {
    const words = line.slice(2, -2).split(' | ');
    if (words[0] === 'Program') head = words;
    else rows.set(words[0], new Map(words.map((word, index) => [head[index], word])));
  }
  const [, day] = /^Run on (\d{4}-\d{2}-\d{2}) /m.exec(text) ?? [];
  return { day, head, rows, text };
}

/** What was right on the page and is no longer. */
export function findLosses(page, rows) {
  const { rows: known } = readRows(page);
  return rows.flatMap(({ title, verdicts }) =>
    verdicts
      .filter(
        ({ title: kind, outcome }) =>
          known.get(title)?.get(kind) === 'right' && outcome !== 'right',
      )
      .map(({ title: kind, outcome, note }) => `${title}, ${kind}: ${outcome}, ${note}`),
  );
}

const before = (page) => page.slice(0, page.indexOf(marks.start) + marks.start.length);
const after = (page) => page.slice(page.indexOf(marks.end));
