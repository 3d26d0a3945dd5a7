import { isUtf8 } from 'node:buffer';
import { parse as parseQuery } from 'fast-querystring';
import type { SentField } from '../capability/http.ts';
import { defaultErrors } from '../errors/define-error.ts';
import { type Failure, failure, type Outcome } from '../errors/failure.ts';
import { andThen, type MaybePromise } from '../errors/maybe-promise.ts';
import {
  type BodyPlan,
  isJsonType,
  type MatchBody,
  type WholeBodyPlan,
} from '../http/body-plan.ts';
import type { RawHeaders } from '../http/exchange.ts';
import { refuseForeignChange } from '../http/origin.ts';
import { type FileFields, toFileFields } from '../input/file-fields.ts';
import {
  type InputFields,
  toFieldValue,
  toInputFields,
  toInputPlan,
} from '../input/input-fields.ts';
import type { MultipartLimits } from '../input/multipart-limits.ts';
import type * as FormParser from '../input/read-multipart-body.ts';
import { parseJsonBody } from '../input/safe-input.ts';
import { addSentFields } from '../input/sent-fields.ts';
import type { Operation } from '../registry/compile-registry.ts';
import type { Route } from '../routing/route.ts';
import type { Lens } from '../schema/lens.ts';
import { definitionOf } from '../schema/schema.ts';
import type { IsSecret } from '../schema/secret-names.ts';
import type { RestRequest } from './request-handler.ts';
import { brokenOff, isNoValue, notUtf8, readWholeFile, readWholeText } from './whole-body.ts';

/** A route as the transport serves it. */
export interface RestRoute
  extends Pick<Route<Operation>, 'operation' | 'method' | 'path' | 'routerPath' | 'params'> {
  /** Whether a capability is called by its key: all fields are in the body then. */
  readonly isByKey: boolean;
  /** The fields that headers and cookies carry. */
  readonly headerFields: readonly SentField[];
  /** The field that is the whole body; undefined where the body has a name for each field. */
  readonly body: WholeBodyPlan | undefined;
  /** Reads the head of a body, by the limits of the capability. */
  readonly matchBody: MatchBody;
  /** The headers of every response, besides. */
  readonly headers: RawHeaders;
  /** `Vary`, for responses that a cache may keep: the headers that the input is read from. */
  readonly varies: RawHeaders;
  /** The plan by which query, path and form become values; the first request makes it. */
  plan: Lens | undefined;
  /** The fields that take files; the first form makes it. */
  files: FileFields | undefined;
  /** Whether the parameters of the path are texts in the input, too; the first request finds it. */
  hasTextParams: boolean | undefined;
  /** Whether a parameter of the path holds a secret; the first line of a log that names the path makes it. */
  isSecret: IsSecret | undefined;
}

const { UnsupportedMediaType } = defaultErrors;

/**
 * Checks a body before anything runs, and reads it. A form and a file stay on the wire: they are read once the guards
 * have let the caller pass. Calls `done` with a refusal, or with none.
 */
export function receiveBody(
  request: RestRequest,
  operation: Operation,
  done: (request: RestRequest, operation: Operation, refusal?: Failure) => void,
): void {
  const { exchange, responder } = request;
  const whole = request.served?.body;
  const isForm = operation.definition.form === true;
  const { matchBody } = request.served ?? responder.parts.settings;
  const plan = matchBody(exchange.headers, isForm, whole);
  const isEmpty = exchange.bodyLength === 0;
  request.bodyKind = isEmpty && plan.kind !== 'file' ? toEmptyKind(whole) : plan.kind;
  if (isEmpty && plan.kind === 'whole') request.rawBody = NO_BYTES;
  const refusal = refuseForeignBody(request, operation, plan) ?? refuseLongBody(request, plan);
  if (refusal !== undefined) return done(request, operation, refusal);
  if (isEmpty || isReadLater(plan)) return done(request, operation);
  readBody(request, plan, (bytes) => {
    if (!(bytes instanceof Uint8Array)) return done(request, operation, bytes);
    request.rawBody = bytes;
    done(request, operation);
  });
}

/** Reads the body of a request for a door, or refuses it: one that is not JSON, too long, or has none. */
export function receiveJson(request: RestRequest, onBody: (bytes: Buffer) => void): void {
  const { exchange, responder } = request;
  const { settings, cors } = responder.parts;
  const plan = settings.matchBody(exchange.headers, false);
  const type =
    String(exchange.headers['content-type']).split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const refusal =
    (plan.isJson
      ? refuseLongBody(request, plan)
      : refuseForeignChange(exchange.headers, {
          isForm: true,
          isChange: true,
          trusts: cors.trusts,
        })) ?? (isJsonType(type) ? undefined : jsonAlone);
  if (refusal !== undefined || !plan.isJson) return request.refuse(refusal ?? plan.refusal);
  readBody(request, plan, (bytes) => {
    if (bytes instanceof Uint8Array) onBody(bytes);
    else if (request.isOpen) request.refuse(bytes);
  });
}

const jsonAlone = failure(
  UnsupportedMediaType,
  'Only application/json is taken here. Send files over REST',
);

/** Reads a body, or finds why there is none. Not called when the caller leaves. */
function readBody(
  request: RestRequest,
  plan: BodyPlan,
  done: (bytes: Buffer | Failure) => void,
): void {
  request.arm();
  request.watchLeave();
  request.exchange.readBytes(plan.maxBytes, (bytes) => {
    if (bytes === 'too long') return done(plan.refusal);
    if (bytes === 'broken off') return done(brokenOff);
    if (request.isOpen) done(bytes);
  });
}

/** Refuses what a page of another site can send without a preflight. Before it may send JSON, there is one. */
function refuseForeignBody(
  { exchange, responder }: RestRequest,
  { intent }: Operation,
  { isJson, kind }: BodyPlan,
): Failure | undefined {
  if (isJson) return undefined;
  return refuseForeignChange(exchange.headers, {
    isForm: kind !== 'json' && exchange.bodyLength !== 0,
    isChange: intent !== 'query',
    trusts: responder.parts.cors.trusts,
  });
}

/** Refuses a body by its declared length. A form has limits for its parts, which its reader knows. */
function refuseLongBody({ exchange }: RestRequest, plan: BodyPlan): Failure | undefined {
  const isLong = exchange.bodyLength > plan.maxBytes;
  return isLong && plan.kind !== 'multipart' ? plan.refusal : undefined;
}

function isReadLater({ kind }: BodyPlan): boolean {
  return kind === 'multipart' || kind === 'file';
}

/** An empty body has no fields, and is none itself. */
function toEmptyKind(whole: WholeBodyPlan | undefined): 'json' | 'whole' {
  return whole === undefined ? 'json' : 'whole';
}

/**
 * Refuses a change by GET that a page of another site requests, as a link or a picture can. Such a route has no other
 * protection, because its method promises to change nothing.
 */
export function refuseChangeByGet({ exchange, responder }: RestRequest): Failure | undefined {
  const { trusts } = responder.parts.cors;
  return refuseForeignChange(exchange.headers, { isForm: false, isChange: true, trusts });
}

/** An input of which a part was read before the guards have passed. */
export interface BegunInput {
  /** The fields in which the guards find their parameters. */
  readonly texts: MaybePromise<Outcome<InputFields>>;
  /** Reads the rest. */
  readRest(): MaybePromise<Outcome<InputFields>>;
}

/**
 * The fields in which the guards of a request find their parameters: those of the path. A call by key has none there,
 * so that they are fields of its body, of which no file is read yet.
 */
export function readParams(
  request: RestRequest,
  route: RestRoute,
): MaybePromise<Outcome<InputFields>> {
  if (route.params.length > 0) return { ok: true, value: toParamFields(request, route) };
  if (request.begun !== undefined) return request.begun.texts;
  const { multipart } = request.responder.parts.settings;
  if (request.bodyKind === 'multipart' && multipart !== undefined)
    return beginForm(request, route, multipart);
  request.begun = toBegun(readInput(request, route));
  return request.begun.texts;
}

async function beginForm(request: RestRequest, route: RestRoute, limits: MultipartLimits) {
  const { openMultipartBody } = await loadFormParser();
  request.begun = openMultipartBody(toForm(request, route, limits));
  return request.begun.texts;
}

function toBegun(texts: MaybePromise<Outcome<InputFields>>): BegunInput {
  return { texts, readRest: () => texts };
}

/** The parameters of the path. One that is read as a number is the number that the handler gets. */
function toParamFields({ params }: RestRequest, route: RestRoute): InputFields {
  const fields = Object.entries(params).map(([name, text]) => {
    const value = toFieldValue(planOf(route).inside(name), [text]);
    return [name, typeof value === 'number' ? value : text] as const;
  });
  return Object.fromEntries(fields);
}

/** The input of a request: query or body, the fields that headers and cookies carry, and the path, which wins. */
export function readInput(
  request: RestRequest,
  route: RestRoute,
): MaybePromise<Outcome<InputFields>> {
  if (request.begun !== undefined) return request.begun.readRest();
  const { bodyKind, rawBody = NO_BYTES, responder } = request;
  const { multipart } = responder.parts.settings;
  if (bodyKind === 'json') return addOthers(parseJsonBody(rawBody), request, route);
  if (route.body !== undefined && bodyKind !== undefined)
    return readWhole(request, route, route.body);
  if (bodyKind === 'multipart' && multipart !== undefined)
    return readForm(request, route, multipart);
  if (bodyKind !== undefined && !isUtf8(rawBody)) return { ok: false, failure: notUtf8 };
  const text = bodyKind === 'form' ? rawBody.toString() : toQueryText(request);
  return addOthers({ ok: true, value: parseFields(text, route) }, request, route);
}

function toQueryText({ url, path }: RestRequest): string {
  return url.slice(path.length + 1);
}

function parseFields(text: string, route: RestRoute): InputFields {
  return text === '' ? {} : toInputFields(parseQuery(text), planOf(route));
}

/** The body as its field, which comes from nowhere else, beside those of the query. */
function readWhole(
  request: RestRequest,
  route: RestRoute,
  whole: WholeBodyPlan,
): MaybePromise<Outcome<InputFields>> {
  const { bodyKind, rawBody, exchange } = request;
  const type = String(exchange.headers['content-type'] ?? '');
  const fields = parseFields(toQueryText(request), route);
  delete fields[whole.field];
  const add = (read: Outcome): Outcome<InputFields> => {
    if (!read.ok) return read;
    fields[whole.field] = read.value;
    return addOthers({ ok: true, value: fields }, request, route);
  };
  if (bodyKind === 'file') return andThen(readWholeFile(exchange, type, whole), add);
  const plan = planOf(route);
  if (rawBody === undefined || isNoValue(rawBody, type, plan.object.required.has(whole.field)))
    return addOthers({ ok: true, value: fields }, request, route);
  return add(readWholeText(rawBody, type, plan.inside(whole.field)));
}

const NO_BYTES = Buffer.alloc(0);

async function readForm(request: RestRequest, route: RestRoute, limits: MultipartLimits) {
  const { readMultipartBody } = await loadFormParser();
  return addOthers(await readMultipartBody(toForm(request, route, limits)), request, route);
}

/** The parser, which the first form loads. An `import` costs 20 µs, also of what is there. */
let formParser: Promise<typeof FormParser> | undefined;

function loadFormParser() {
  formParser ??= import('../input/read-multipart-body.ts');
  return formParser;
}

function toForm(
  request: RestRequest,
  route: RestRoute,
  limits: MultipartLimits,
): FormParser.MultipartSource {
  const { body, headers, bodyLength: declaredBytes } = request.exchange;
  const { settings } = request.responder.parts;
  const { schema, maxBodySize: own } = route.operation.definition;
  route.files ??= toFileFields(schema);
  const contentType = String(headers['content-type']);
  const usual = route.files.hasAny
    ? ({ bytes: limits.maxTotalSize, name: 'multipart.maxTotalSize' } as const)
    : ({ bytes: settings.maxBodySize, name: 'maxBodySize' } as const);
  const total = own === undefined ? usual : ({ bytes: own, name: 'maxBodySize' } as const);
  const { files } = route;
  return { body, declaredBytes, contentType, limits, total, plan: planOf(route), files };
}

function addOthers(
  input: Outcome<InputFields>,
  request: RestRequest,
  route: RestRoute,
): Outcome<InputFields> {
  if (!input.ok) return input;
  // These fields are read from there alone.
  if (!route.isByKey) for (const { field } of route.headerFields) delete input.value[field];
  if (route.headerFields.length > 0)
    addSentFields(input.value, request.headers, { sent: route.headerFields, plan: planOf(route) });
  for (const name of route.params) {
    const text = request.params[name];
    if (text !== undefined) input.value[name] = toFieldValue(planOf(route).inside(name), [text]);
  }
  return input;
}

/** Many capabilities of a server are not called in its first minutes, and a plan takes longer to make than a route. */
function planOf(route: RestRoute): Lens {
  route.plan ??= toInputPlan(route.operation.definition.schema);
  return route.plan;
}

/** Whether the parameters are texts in the input: a schema that takes more makes something else of these texts. */
export function hasTextParams(route: RestRoute): boolean {
  const { shape = {} } = definitionOf(route.operation.definition.schema);
  return route.params.every((name) => {
    // Nearly all are, and to describe a schema takes a hundred times as long.
    if (definitionOf(shape[name]).type === 'string') return true;
    const reading = planOf(route).inside(name)?.reading;
    const isText = (text: string): boolean => reading?.coerce(text) === text;
    return (
      reading === undefined ||
      (reading.list === 'never' && ['1.5e3', 'true', 'false'].every(isText))
    );
  });
}
