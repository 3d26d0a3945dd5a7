import { type EndMark, toCommandText } from '../../server-runtime/observe/waits.ts';
import { setGlobal } from '../../server-runtime/patches/set-global.ts';
import type { MarkedTimes } from './call-marks.ts';

/** A span of OpenTelemetry's SDK, as far as it is read here. */
interface SeenSpan {
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: number };
}

/** A call that comes in, or a job: capix knows their times itself. */
const INCOMING = [1, 4];
const FAILED_CODE = 2;

/** Notes the spans that `devSpans` of the project passes on. `find`: the call to which the code that runs belongs. */
export function followSpans(find: () => MarkedTimes | undefined): void {
  const known = new WeakMap<object, () => EndMark>();
  setGlobal('capix.spans', (span: SeenSpan) => {
    const found = known.get(span);
    if (found !== undefined) return found()(toResult(span));
    const { kind, attributes } = span;
    const marks = find();
    // Those of the plugin of capix are its steps.
    if (marks === undefined || INCOMING.includes(kind) || 'capix.capability' in attributes) return;
    let end: EndMark | undefined;
    const begin = (): EndMark => {
      end ??= marks.beginSpan(...toWait(span));
      return end;
    };
    known.set(span, begin);
    // Instrumentation of pg says the statement when the span has begun.
    const isOfDatabase = 'db.system' in attributes || 'db.system.name' in attributes;
    if (isOfDatabase && toWait(span)[0] === 'trace') queueMicrotask(begin);
    else begin();
  });
}

/** By the conventions for attributes of today, and those before. */
function toWait({ name, attributes }: SeenSpan): Parameters<MarkedTimes['beginSpan']> {
  const read = (...names: readonly string[]): string | undefined => {
    const values = names.map((each) => attributes[each]);
    return values.find((each) => typeof each === 'string');
  };
  const statement = read('db.query.text', 'db.statement');
  if (statement !== undefined && read('db.system.name', 'db.system') === 'redis') {
    const [command, ...args] = statement.split(' ');
    return ['redis', toCommandText({ command, args })];
  }
  if (statement !== undefined) return ['db', statement];
  const url = read('url.full', 'http.url');
  if (url === undefined) return ['trace', name];
  return ['http', `${read('http.request.method', 'http.method') ?? name} ${url}`];
}

function toResult({ attributes, status }: SeenSpan): string | undefined {
  const answer = attributes['http.response.status_code'] ?? attributes['http.status_code'];
  if (typeof answer === 'number') return String(answer);
  return status.code === FAILED_CODE ? 'failed' : undefined;
}
