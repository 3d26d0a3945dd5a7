import type { JobSettings } from '../../../server-runtime/server/job.ts';
import { pick } from '../../values/json.ts';
import { groupBy, onceFor } from '../../values/once.ts';
import {
  findDocumentFacts,
  findOperationFacts,
  type OperationFacts,
  type OtherRouteFacts,
  type RouteFacts,
} from '../facts.ts';
import {
  findReference,
  follow,
  isSchemaObject,
  listOf,
  recordOf,
  type SchemaJson,
  textOf,
} from '../schema-json.ts';
import { type ApiOperation, type ApiRoute, JOB } from './api-operation.ts';
import { DocumentOperation } from './document-operation.ts';

/**
 * The operations of an OpenAPI document, one that the tool wrote, with everything that `x-capix` says, or another one.
 * In the order of the document; the same list for the same document. Never throws: parts that are not as they should be
 * are passed over.
 */
export const readOperations = onceFor((document: object) => read(document as SchemaJson));

/** The capabilities that a queue runs, as `x-jobs` of a document of ours has them. */
export const readJobs = onceFor((document: object): readonly ApiOperation[] => {
  const json = document as SchemaJson;
  const jobs = Object.entries(recordOf(json['x-jobs']));
  return jobs.map(([key, job]) => toJob(key, recordOf(job), json));
});

/** Those of OpenAPI 3.2. */
export const methods: ReadonlySet<string> = new Set(
  'get put post delete options head patch trace query'.split(' '),
);

/** A path item, of which some may stand elsewhere, and some beside the reference to it. */
function toItem(json: unknown, document: SchemaJson): SchemaJson {
  const written = recordOf(json);
  if (written['$ref'] === undefined) return written;
  const { $ref: _reference, ...own } = written;
  return { ...follow(written, document), ...own };
}

/** The operations of a path by their methods in capitals: since OpenAPI 3.2 there may be any others. */
function toMethods(item: SchemaJson): readonly (readonly [string, SchemaJson])[] {
  const own = Object.entries(item).flatMap(([word, object]) =>
    methods.has(word) ? [[word.toUpperCase(), object] as const] : [],
  );
  return [...own, ...Object.entries(recordOf(item['additionalOperations']))].flatMap(
    ([method, object]) => (isSchemaObject(object) ? [[method, object] as const] : []),
  );
}

/** An operation object at its place. */
interface Place {
  readonly template: string;
  /** The path item. */
  readonly item: SchemaJson;
  readonly object: SchemaJson;
  readonly notes: RouteFacts | OtherRouteFacts | undefined;
  readonly route: ApiRoute;
}

interface RouteParts extends Pick<Place, 'template' | 'notes'> {
  readonly method: string;
  readonly prefix: string;
}

function read(document: SchemaJson): readonly ApiOperation[] {
  const prefix = findDocumentFacts(document) === undefined ? findPrefix(document) : '';
  const places = Object.entries(recordOf(document['paths'])).flatMap(([template, json]) => {
    const item = toItem(json, document);
    return toMethods(item).map(([method, object]) => {
      const notes = findOperationFacts(object);
      return { template, item, object, notes, route: toRoute({ template, method, prefix, notes }) };
    });
  });
  const byKey = groupBy(places, ({ notes }) => notes?.key);
  const toCallbacks = createCallbacks(document);
  return places.map((place): ApiOperation => {
    const { notes, object, route, template, item } = place;
    if (notes === undefined) {
      const key = textOf(object['operationId']) ?? `${route.method} ${prefix}${template}`;
      const parts = { document, key, route, template, item, object };
      return new DocumentOperation({ ...parts, isOurs: false, toCallbacks });
    }
    const same = byKey.get(notes.key) ?? [];
    const facts = same.map((each) => each.notes).find(isMain);
    return new DocumentOperation({
      document,
      key: notes.key,
      isOurs: true,
      route,
      template,
      item,
      object,
      facts,
      isMain: isMain(notes),
      otherRoutes: same.flatMap((other) => (other.object === object ? [] : [other.route])),
      input: facts?.input,
      toCallbacks,
    });
  });
}

function isMain(notes: Place['notes']): notes is RouteFacts {
  return notes !== undefined && !('isOther' in notes);
}

/** `prefix`: the path of the server, in documents of others. */
function toRoute({ template, method, prefix, notes }: RouteParts): ApiRoute {
  if (notes === undefined) return { method, path: `${prefix}${toPath(template)}` };
  // Of two routes that clash, the second has a number.
  const path = toPath(template.replace(/#\d+$/, ''), notes.wildcard);
  // Our server takes a slash at the end or none; another one answers 404.
  return { method, path: path.replace(/(.)\/+$/, '$1') };
}

/**
 * `/files/{path}` as the tool writes it: `/files/:path`, or `/files/*path` where that takes the rest. Where a document
 * of others has text beside a parameter, it stays: `/files/{path}.zip`.
 */
function toPath(template: string, wildcard?: string): string {
  return template.replaceAll(
    /(?<=\/)\{([^{}]+)\}(?=\/|$)/g,
    (_whole, name: string) => `${name === wildcard ? '*' : ':'}${name}`,
  );
}

/** The path of the first server, which stands before all others. */
function findPrefix({ servers }: SchemaJson): string {
  const url = textOf(recordOf(listOf(servers)[0])['url']) ?? '';
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/\/+$/, '');
  return path.startsWith('/') ? path : '';
}

/** The calls that the server makes without a request, by name and method: `orderPaid POST`. */
export const readWebhooks = onceFor((document: object): readonly ApiOperation[] => {
  const json = document as SchemaJson;
  const webhooks = { ...recordOf(json['x-webhooks']), ...recordOf(json['webhooks']) };
  return Object.entries(webhooks).flatMap(([name, item]) => toCalls({ name }, item, json));
});

function createCallbacks(document: SchemaJson) {
  return (callbacks: unknown): readonly ApiOperation[] =>
    Object.entries(recordOf(callbacks)).flatMap(([name, callback]) =>
      Object.entries(follow(callback, document)).flatMap(([address, item]) =>
        toCalls({ name: `${name} ${address}`, reference: findReference(callback) }, item, document),
      ),
    );
}

/** The calls of one item, whose name stands in the place of a path. */
function toCalls(
  { name, reference }: { readonly name: string; readonly reference?: string | undefined },
  json: unknown,
  document: SchemaJson,
): readonly ApiOperation[] {
  const item = toItem(json, document);
  const toCallbacks = createCallbacks(document);
  return toMethods(item).map(([method, object]) => {
    const route = { method, path: name };
    const parts = { document, key: `${name} ${method}`, route, template: '', item, object };
    return new DocumentOperation({ ...parts, isOurs: false, reference, toCallbacks });
  });
}

function toJob(key: string, job: SchemaJson, document: SchemaJson): ApiOperation {
  const { input, description } = job;
  const facts: OperationFacts | undefined = findOperationFacts(job) as OperationFacts | undefined;
  return new DocumentOperation({
    document,
    key,
    isOurs: true,
    route: { method: JOB, path: '' },
    template: '',
    item: {},
    // A job is not called from outside.
    object: { description, deprecated: facts?.deprecation !== undefined, security: [] },
    facts,
    input,
    job: pick(job, 'maxJobs', 'attempts', 'backoffMs', 'rate', 'repeat') as JobSettings,
  });
}
