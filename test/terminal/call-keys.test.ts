import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

const capabilities = `import { capability, uploadedFile } from 'capix';
import * as z from 'zod';

export const capabilities = {
  files: {
    createFile: capability(z.object({ name: z.string(), title: z.string(), note: z.string() }), (input) => input),
    sendFile: capability(z.object({ file: uploadedFile(), name: z.string().optional() }), ({ file }) => file.size),
  },
};
`;

async function open(key: string) {
  const { root } = await openProject({ 'src/capabilities.ts': capabilities });
  terminal = openTerminal(['call', key], { cwd: root, columns: 120, rows: 40 });
  await terminal.waitFor('No call yet');
  return { terminal, root };
}

it('takes keys that arrive at once as one step, and an Enter among them as the way to the next field', async () => {
  const { terminal: shown } = await open('files.createFile');
  shown.type('first line\rsecond\rthird');
  const frame = await shown.waitFor(/name\* +first line [^]*title\* +second [^]*❯ note\* +third/);
  expect(frame).toContain('No call yet');
  shown.type('\u001A');
  await shown.waitFor((screen) => !screen.includes('third') && screen.includes('second'));
});

it('goes to the start and the end of a text as a shell does, and has a key of two strokes for what is rare', async () => {
  const { terminal: shown } = await open('files.createFile');
  shown.type('b\u0001a\u0005c');
  await shown.waitFor(/name\* +abc /);
  shown.type('\u0018l');
  await shown.waitFor(/name\* +· [^]*Cleared/);
  shown.type('\u0018\u0015');
  await shown.waitFor(/name\* +abc /);
});

it('completes the path of a file, says what there is to choose from, and goes on', async () => {
  const { terminal: shown, root } = await open('files.sendFile');
  await mkdir(join(root, 'pictures'));
  await Promise.all(
    ['cat.png', 'car.png'].map((name) => writeFile(join(root, 'pictures', name), 'x')),
  );
  shown.type('pic\t');
  await shown.waitFor(/file\* +pictures\/ /);
  shown.type('c\t');
  await shown.waitFor(/file\* +pictures\/ca /);
  shown.type('\t');
  await shown.waitFor('car.png  cat.png');
  shown.type('t\t');
  await shown.waitFor(/file\* +pictures\/cat\.png /);
  shown.type('\t');
  await shown.waitFor(/❯ name/);
});
