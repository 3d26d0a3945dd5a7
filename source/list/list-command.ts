import type { PlainProps } from '../cli/command.ts';
import type { CommonValues } from '../cli/common-options.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { toOneLine } from '../kit/line.ts';
import { loadRegistry } from '../load/load-registry.ts';
import type { CheckRuleId } from '../manifest/check-rules.ts';
import { rememberManifest } from '../manifest/known-manifest.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import {
  hasQueue,
  type Listed,
  type Manifest,
  toCapabilities,
  toJobs,
} from '../manifest/manifest.ts';
import { toCount } from '../values/count.ts';
import { toGuardCount, toNoCapabilities, toRouteText } from './capability-row.ts';

/** `capix list`, as text or JSON. Problems with the routes do not stop it; they are counted on stderr. */
export default async function listCommand({
  options,
  terminal,
}: PlainProps<CommonValues>): Promise<void> {
  const { json } = options;
  const loaded = await loadRegistry({ ...options, withFaults: true }, terminal);
  const manifest = await loadManifest(loaded, { hasSchemas: false, hasPlaces: json });
  await rememberManifest(manifest, true);
  terminal.writeOut(
    json
      ? toJsonOutput(toListData(manifest))
      : toListText(toCapabilities(manifest), toJobs(manifest)) +
          toMountsText(manifest.mounts ?? []),
  );
  if (manifest.keys.length === 0 && !hasQueue(manifest))
    terminal.writeError(`${[...toNoCapabilities(manifest), firstStep].join('\n')}\n`);
  const errorCount = manifest.problems.filter(({ code }) => routeProblems.includes(code)).length;
  if (errorCount > 0) {
    terminal.writeError(
      `${toCount(errorCount, 'problem')} with the routes. Run \`capix check\`.\n`,
    );
  }
}

const firstStep = 'Write the first one: `capix generate capability users getUser --input`.';

/** The problems that keep a server from starting, or that are found only here. */
const routeProblems: readonly CheckRuleId[] = [
  'duplicate-route',
  'invalid-override',
  'unknown-override',
];

function toListData(manifest: Manifest) {
  return {
    capabilities: toCapabilities(manifest).map(({ key, method, path, facts }) => ({
      key,
      method,
      path,
      intent: facts.intent,
      guards: toGuardNames(facts),
      description: facts.description,
      deprecated: facts.deprecation !== undefined,
      offers: facts.offers,
      source: facts.source,
    })),
    jobs: hasQueue(manifest) ? toJobs(manifest).map(toJobData) : undefined,
    mounts: manifest.mounts?.length ? manifest.mounts : undefined,
  };
}

function toJobData({ key, job, facts }: Listed) {
  return {
    key,
    ...job,
    guards: toGuardNames(facts),
    description: facts.description,
    source: facts.source,
  };
}

function toGuardNames({ guards, inputGuards }: Listed['facts']): readonly string[] {
  return [...guards, ...inputGuards].map(({ name }) => name);
}

/**
 * The list as text, with a line feed at its end:
 *
 *     Capabilities (2)
 *
 *       items.getItem    GET   /items/:id  public
 *       items.createItem POST  /items      1 guard
 *
 * A capability that is a resource or a prompt for agents says so at its end. Jobs follow in a section of their own.
 * Columns are as wide as their longest value and two spaces apart.
 */
export function toListText(capabilities: readonly Listed[], jobs: readonly Listed[] = []): string {
  const jobLines = jobs.length === 0 ? [] : ['', ...toSection('Jobs', jobs)];
  return `${[...toSection('Capabilities', capabilities), ...jobLines].join('\n')}\n`;
}

/** The section of the handlers that `restOptions` mounts, behind the others. */
function toMountsText(mounts: readonly string[]): string {
  if (mounts.length === 0) return '';
  const lines = mounts.map((path) => `  ${toOneLine(path)}/*`);
  return `${['', `Mounts (${mounts.length})`, '', ...lines].join('\n')}\n`;
}

function toSection(title: string, listed: readonly Listed[]): readonly string[] {
  const rows = listed.map((each) => [
    toOneLine(each.key),
    toOneLine(each.method),
    toOneLine(toRouteText(each)),
    toGuardCount(each),
    toOfferKinds(each),
  ]);
  const widths = [0, 1, 2].map((column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
  );
  const lines = rows.map((row) =>
    ['', ...row.map((cell, column) => cell.padEnd(widths[column] ?? 0))].join('  '),
  );
  return [`${title} (${rows.length})`, '', ...lines.map((line) => line.trimEnd())];
}

/** `resource`, `resource, prompt`: what it is for agents besides a tool; mostly empty. */
function toOfferKinds({ facts: { offers } }: Listed): string {
  const kinds = [
    offers?.resources.length ? 'resource' : '',
    offers?.prompt === undefined ? '' : 'prompt',
  ];
  return kinds.filter(Boolean).join(', ');
}
