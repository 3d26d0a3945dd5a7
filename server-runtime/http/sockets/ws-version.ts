import { createRequire } from 'node:module';

/** Before it, one message could have so many fragments that they fill the memory. */
const OLDEST = [8, 21] as const;

/** @throws Error for a version that is too old, with what to install */
export function expectVersion(version: string | undefined, neededBy = 'webSocketTransport'): void {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  if (version === undefined || !isOld) return;
  const needed = OLDEST.join('.');
  throw new Error(
    `${neededBy} needs ws ${needed} or newer, and finds ${version}: npm install ws@^${needed}`,
  );
}

/** The version of ws that is installed; undefined where it is bundled with the server. */
export function findVersion(): string | undefined {
  try {
    const { version } = createRequire(import.meta.url)('ws/package.json') as { version: string };
    return version;
  } catch {
    return undefined;
  }
}
