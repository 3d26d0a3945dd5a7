import { Agent, request } from 'node:https';
import { describe, expect, it } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
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
