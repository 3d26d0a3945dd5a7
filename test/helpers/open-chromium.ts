import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Shows a page in a Chromium of its own, which ends with the test. */
export async function openChromium(page: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'capix-docs-page-'));
  // As with browsers that send the cookies of a site to it from everywhere.
  const cookies = { cookie_controls_mode: 0, block_third_party_cookies: false };
  await mkdir(join(folder, 'Default'));
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify({ profile: cookies }));
  const words = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
  ];
  const own = [`--user-data-dir=${folder}`, '--remote-debugging-port=0', page];
  const child = spawn(process.env['CHROMIUM'] ?? 'chromium', [...words, ...own], {
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  await once(child, 'spawn');
}
