import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The columns of the table: operations of `app.mjs`, each with the values that a reader must bring to the server and back. Read by the harness, and by
 * the process in which a reader runs.
 */
export const columns = [
  { title: 'lists', operations: ['lists'] },
  { title: 'objects in queries', operations: ['objects', 'deepObjects'] },
  { title: 'paths with `/`', operations: ['paths'] },
  { title: 'tuples', operations: ['tuples'] },
  { title: 'tagged unions', operations: ['unions'] },
  { title: 'nullables', operations: ['nullables'] },
  { title: 'files', operations: ['files'] },
  { title: 'streams', operations: ['streams'] },
  { title: 'dates', operations: ['bodyDates', 'queryDates'] },
  { title: 'decimals', operations: ['decimals'] },
];

export const operations = columns.flatMap((column) => column.operations);

const dog = { kind: 'dog', bark: 'loud' };
const cat = { kind: 'cat', lives: 9 };
const file = { name: 'a b.txt', type: 'text/plain', text: 'é' };

/** What is sent, which is what the server must get and answer. */
export const values = {
  lists: [{ tags: ['a'] }, { tags: ['a,b', 'c d'] }],
  objects: [{ where: { min: 1.5, name: 'x y' } }],
  deepObjects: [{ where: { states: ['a', 'b,c'] } }],
  paths: [{ id: 'a/b c?d' }],
  tuples: [{ place: [1.5, 'x'] }],
  unions: [{ pet: dog }, { pet: cat }],
  nullables: [
    { price: null, note: null, pet: null },
    { price: 1.5, note: 'x', pet: cat },
  ],
  files: [{ note: 'é', file, more: [file, { ...file, name: 'b.txt' }] }],
  streams: [{}],
  bodyDates: [{ at: '2026-01-02T03:04:05.678Z', day: '2026-01-02' }],
  queryDates: [{ since: '2026-01-02T03:04:05.678Z' }],
  decimals: [{ price: 19.99 }, { price: 0.07 }],
};

export const streamedItems = [{ n: 1 }, { n: 2 }, { n: 3 }];

/** What a validator must refuse. The server refuses each of these itself, so none of them arrives. */
export const invalidValues = {
  objects: [{ where: { min: 'much', name: 'x' } }],
  deepObjects: [{ where: { states: 'a' } }],
  tuples: [{ place: ['x', 1.5] }],
  unions: [{ pet: { kind: 'dog', lives: 9 } }],
  nullables: [{ price: 'x', note: null, pet: null }],
  bodyDates: [{ at: 'soon', day: '2026-01-02' }],
  queryDates: [{ since: 'soon' }],
  decimals: [{ price: 'x' }],
};

/** How each operation is asked for over HTTP, for what is no client itself. */
export const requests = {
  lists: ({ tags }) => ({ path: `/lists?${tags.map((tag) => `tags=${encode(tag)}`).join('&')}` }),
  objects: ({ where }) => ({
    path: `/objects?where[min]=${encode(where.min)}&where[name]=${encode(where.name)}`,
  }),
  deepObjects: ({ where }) => ({ path: `/deep-objects?where=${encode(JSON.stringify(where))}` }),
  paths: ({ id }) => ({ path: `/paths/${encode(id)}` }),
  tuples: (value) => ({ path: '/tuples', body: value }),
  unions: (value) => ({ path: '/unions', body: value }),
  nullables: (value) => ({ path: '/nullables', body: value }),
  files: ({ note, file: first, more }) => {
    const form = new FormData();
    form.append('note', note);
    form.append('file', toFile(first));
    for (const each of more) form.append('more', toFile(each));
    return { path: '/files', body: form };
  },
  streams: () => ({ path: '/streams' }),
  bodyDates: (value) => ({ path: '/body-dates', body: value }),
  queryDates: ({ since }) => ({ path: `/query-dates?since=${encode(since)}` }),
  decimals: (value) => ({ path: '/decimals', body: value }),
};

const encode = encodeURIComponent;

export const toFile = ({ name, type, text }) => new File([text], name, { type });

/** Sends a request as a correct client does. @throws Error with the status and the text of an answer that is no success */
export async function send(base, operation, value) {
  const { path, body } = requests[operation](value);
  const isForm = body instanceof FormData;
  const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const form = { body };
  const content = isForm ? form : json;
  const response = await fetch(
    `${base}${path}`,
    body === undefined ? {} : { method: 'POST', ...content },
  );
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return operation === 'streams' ? parseItems(text) : JSON.parse(text).data;
}

/** The items of a stream that a client gives as one text: events, or lines of JSON. */
export function parseItems(text) {
  const lines = text.split('\n').map((line) => line.replace(/^data: /, ''));
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/** Starts a program that listens on a port of ours, and waits until it says so. */
export async function startProgram(command, words, mark) {
  const socket = createServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  const child = spawn(command, [...words, '--port', String(port), '--host', '127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  await new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk) => {
      text += chunk;
      if (text.includes(mark)) resolve();
    };
    child.once('error', reject);
    child.once('close', () => reject(new Error(`ended: ${text}`)));
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  });
  return { base: `http://127.0.0.1:${port}`, close: () => (child.kill(), ended) };
}

/** The document of one operation with a value as its example, for programs that read what they send from there. */
export function withExamples(document, operation, value) {
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, found] of Object.entries(item)) {
      if (found.operationId !== `kinds_${operation}`) continue;
      const { parameters = [], requestBody } = found;
      const edited = {
        ...found,
        parameters: parameters.map((each) => addExample(each, value[each.name])),
        ...(requestBody === undefined ? {} : { requestBody: addBodyExample(requestBody, value) }),
      };
      return { ...document, paths: { [path]: { [method]: edited } } };
    }
  throw new Error(`No operation ${operation}`);
}

function addExample(parameter, example) {
  const { content } = parameter;
  if (content === undefined) return { ...parameter, example };
  const { 'application/json': json } = content;
  return { ...parameter, content: { 'application/json': { ...json, example } } };
}

function addBodyExample(requestBody, example) {
  const content = Object.entries(requestBody.content).map(([type, media]) => [
    type,
    { ...media, example },
  ]);
  return { ...requestBody, content: Object.fromEntries(content) };
}
