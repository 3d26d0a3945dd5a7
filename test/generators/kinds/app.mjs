import {
  capability,
  compileRegistry,
  createServer,
  generateOpenAPI,
  restTransport,
  silentLogger,
  stream,
  uploadedFile,
} from 'capix';
import { mcpTransport } from 'capix/mcp';
import * as z from 'zod';

const Cat = z.object({ kind: z.literal('cat'), lives: z.int() }).meta({ id: 'Cat' });
const Dog = z.object({ kind: z.literal('dog'), bark: z.string() }).meta({ id: 'Dog' });
const Pet = z.discriminatedUnion('kind', [Cat, Dog]).meta({ id: 'Pet' });
const Tick = z.object({ n: z.int() }).meta({ id: 'Tick' });
const ReceivedFile = z
  .object({ name: z.string(), type: z.string(), text: z.string() })
  .meta({ id: 'ReceivedFile' });

/** Each takes a value of its kind and gives it back: `test/generators/kinds/cases.mjs` says with which values it is called. */
const inputs = {
  lists: z.object({ tags: z.array(z.string()) }),
  objects: z.object({ where: z.object({ min: z.number(), name: z.string() }) }),
  deepObjects: z.object({ where: z.object({ states: z.array(z.string()) }) }),
  paths: z.object({ id: z.string() }),
  tuples: z.object({ place: z.tuple([z.number(), z.string()]) }),
  unions: z.object({ pet: Pet }),
  nullables: z.object({
    price: z.number().nullable(),
    note: z.string().nullable(),
    pet: Pet.nullable(),
  }),
  bodyDates: z.object({ at: z.iso.datetime(), day: z.iso.date() }),
  queryDates: z.object({ since: z.iso.datetime() }),
  decimals: z.object({ price: z.number().multipleOf(0.01) }),
};
const files = z.object({ note: z.string(), file: uploadedFile(), more: z.array(uploadedFile()) });
const receivedFiles = z.object({
  note: z.string(),
  file: ReceivedFile,
  more: z.array(ReceivedFile),
});

/** What an answer of each operation must fit. */
export const outputs = {
  ...inputs,
  files: receivedFiles,
  streams: z.array(Tick),
};

const routes = {
  lists: 'GET /lists',
  objects: 'GET /objects',
  deepObjects: 'GET /deep-objects',
  paths: 'GET /paths/:id',
  tuples: 'POST /tuples',
  unions: 'POST /unions',
  nullables: 'POST /nullables',
  bodyDates: 'POST /body-dates',
  queryDates: 'GET /query-dates',
  decimals: 'POST /decimals',
};

/** What the server got since that was last taken: how many requests, and what handlers were given, as values of JSON. */
let received = { requests: 0, arrivals: [] };

export function takeReceived() {
  const taken = received;
  received = { requests: 0, arrivals: [] };
  return taken;
}

function arrive(operation, input) {
  received.arrivals.push({ operation, input: JSON.parse(JSON.stringify(input)) });
  return input;
}

function toEcho(operation) {
  const [method, path] = routes[operation].split(' ');
  const intent = method === 'GET' ? 'query' : 'mutation';
  return capability(inputs[operation], (input) => arrive(operation, input), intent)
    .output(inputs[operation])
    .route(method, path);
}

const toReceived = ({ filename, mimeType, buffer }) => ({
  name: filename,
  type: mimeType,
  text: buffer.toString('utf8'),
});

const kinds = {
  ...Object.fromEntries(Object.keys(routes).map((operation) => [operation, toEcho(operation)])),
  files: capability(
    files,
    ({ note, file, more }) =>
      arrive('files', { note, file: toReceived(file), more: more.map(toReceived) }),
    'mutation',
  )
    .output(receivedFiles)
    .route('POST', '/files'),
  streams: capability(async function* () {
    arrive('streams', {});
    for (let n = 1; n <= 3; n++) yield { n };
  }, 'query')
    .output(stream(Tick))
    .route('GET', '/streams'),
};

export const server = createServer({
  capabilities: { kinds },
  transports: [
    restTransport({ port: 0, host: '127.0.0.1' }),
    mcpTransport({ port: false, allowedHosts: ['127.0.0.1'] }),
  ],
  hooks: {
    onRequest: () => {
      received.requests += 1;
    },
  },
  logger: silentLogger,
});

/** The document of one operation, or of all. */
export function toDocument(url, operation) {
  const chosen = operation === undefined ? kinds : { [operation]: kinds[operation] };
  return generateOpenAPI(compileRegistry({ kinds: chosen }), {
    title: 'Kinds',
    version: '1.0.0',
    servers: [{ url }],
  });
}
