import * as z from 'zod';
import { portNumber, secondsNumber } from '../../cli/common-options.ts';
import type { CapixConfig } from '../../manifest/define-config.ts';

const reason = () => z.string().trim().min(1, 'say why, in a few words');

function toSection<const Severities extends readonly [string, ...string[]]>(
  severities: Severities,
) {
  const ignored = z.strictObject({
    rule: z.string().optional(),
    capability: z.string().optional(),
    at: z.string().optional(),
    reason: reason(),
  });
  const setting = z.union(
    [z.enum(severities), z.strictObject({ severity: z.enum(severities), reason: reason() })],
    {
      error: `expected one of ${severities.join(', ')}, alone or as { severity, reason }`,
    },
  );
  return z.strictObject({
    rules: z.record(z.string(), setting).optional(),
    ignore: z.array(ignored).optional(),
  });
}

export function toSettingsSchema() {
  const environment = z.strictObject({
    url: z.string().regex(/^https?:\/\/./, 'expected a URL that begins with http:// or https://'),
    headers: z.record(z.string(), z.string()).optional(),
  });
  const dev = z.strictObject({
    entry: z.string().min(1).optional(),
    port: portNumber.optional(),
    host: z.string().min(1).optional(),
    allowedHosts: z.array(z.string().min(1)).optional(),
    stopFirst: z.boolean().optional(),
    stopGrace: secondsNumber.optional(),
    watch: z.array(z.string()).optional(),
    nodeOptions: z.array(z.string()).optional(),
    preload: z.boolean().optional(),
  });
  return z.strictObject({
    $schema: z.string().optional(),
    capabilities: z.string().min(1).optional(),
    envFiles: z.array(z.string()).optional(),
    environments: z.record(z.string(), environment).optional(),
    dev: dev.optional(),
    check: toSection(['error', 'warning', 'off']).optional(),
    diff: toSection(['breaking', 'risky', 'safe', 'off']).optional(),
  }) satisfies z.ZodType<CapixConfig>;
}

/** The names that the settings may have in a part of them, by its path: `['dev']`. */
export function findSettingNames(path: readonly PropertyKey[]): readonly string[] {
  let part = toSettingsSchema() as SettingsPart;
  for (const name of path) {
    const next = part.shape?.[String(name)] ?? part.valueType ?? part.element ?? {};
    part = next.unwrap?.() ?? next;
  }
  return Object.keys(part.shape ?? {});
}

interface SettingsPart {
  readonly shape?: Readonly<Record<string, SettingsPart>>;
  readonly valueType?: SettingsPart;
  readonly element?: SettingsPart;
  readonly unwrap?: () => SettingsPart;
}
