import { Agent, request } from 'node:https';
import { describe, expect, it } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { findFreePort } from '../helpers/find-free-port.ts';
import { localhost } from '../helpers/localhost-certificate.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

const server = (options: string) => `
  import { capability, createServer, restTransport } from 'capix';
  import { text } from './text.ts';
  const listTexts = capability(() => text());
  const https = ${JSON.stringify({ key: localhost.key, cert: localhost.cert })};
  await createServer({ capabilities: { texts: { listTexts } }, transports: [restTransport({ https, ${options} })] }).start();`;

describe('a reload of a server that speaks TLS', () => {
  it('passes requests on open connections on to the new code', async () => {
    const folder = await devProject({ 'src/server.ts': server('') });
    const dev = openDevJson(folder);
    const url = await dev.url();
    expect(url).toMatch(/^https:/);
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
    expect(await get(`${url}/texts`, agent)).toBe('{"data":"one"}');
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    await dev.waitFor('ready');
    expect(await get(`${url}/texts`, agent)).toBe('{"data":"two"}');
    agent.destroy();
  });

  it('lets a request finish that takes longer than what has no end may go on', async () => {
    const slow = `export const text = async () => { console.log('begun'); await new Promise((go) => setTimeout(go, 6_500)); return 'old'; };`;
    const folder = await devProject({ 'src/server.ts': server(''), 'src/text.ts': slow });
    const dev = openDevJson(folder);
    const url = await dev.url();
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
    const answer = get(`${url}/texts`, agent);
    await dev.waitFor('output', ({ line }) => line === 'begun');
    await writeTree(folder, { 'src/text.ts': textFile('new') });
    await dev.waitFor('ready');
    expect(await get(`${url}/texts`, agent)).toBe('{"data":"new"}');
    expect(await answer).toBe('{"data":"old"}');
    agent.destroy();
  });

  it('answers with 503 over TLS, too, while there is no server', async () => {
    const own = `
      import { createServer as createOwn } from 'node:https';
      const certificate = ${JSON.stringify({ key: localhost.key, cert: localhost.cert })};
      createOwn(certificate, () => process.exit(1)).listen(Number(process.env.OWN_PORT), '127.0.0.1');`;
    const ownPort = await findFreePort();
    const folder = await devProject({
      'src/server.ts': own + server(''),
      'src/text.ts': `export const text = () => process.exit(1);`,
      '.env': `OWN_PORT=${ownPort}`,
    });
    const dev = openDevJson(folder);
    const urls = [`${await dev.url()}/texts`, `https://127.0.0.1:${ownPort}`];
    const agent = new Agent({ rejectUnauthorized: false });
    await expect(get(urls[0] ?? '', agent)).rejects.toThrow();
    await dev.waitFor('exited');
    for (const url of urls) expect(await get(url, agent)).toContain('"ServiceUnavailable"');
    await writeTree(folder, { 'src/text.ts': textFile('mended') });
    await dev.waitFor('ready');
    expect(await get(urls[0] ?? '', agent)).toBe('{"data":"mended"}');
    agent.destroy();
  });
});

function get(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
}
