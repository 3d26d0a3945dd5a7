import { describe, expect, it } from 'vitest';
import { openDevScreen } from '../helpers/open-dev-screen.ts';
import { openTestTerminal } from '../helpers/open-test-terminal.ts';
import { runCapix } from '../helpers/run-capix.ts';

const files = {
  'package.json': '{"name": "orders", "type": "module"}',
  'src/capabilities.ts': `
    import { capability, defineGuard } from 'capix';
    export const isOpen = defineGuard((ctx) => ctx, { name: 'isOpen' });
    const readTotal = (order?: { total: number }) => order!.total;
    export const orders = {
      findOrder: capability(() => {
        console.log('looking for the order');
        return readTotal();
      }, 'query').guard(isOpen),
    };
  `,
  'src/server.ts': `
    import { createServer, restTransport } from 'capix';
    import { orders } from './capabilities.ts';
    await createServer({ capabilities: { orders }, transports: [restTransport()] }).start();
  `,
};

const cause = /TypeError: Cannot read properties of undefined \(reading 'total'\)/;

describe('a call that fails under capix dev', () => {
  it('says why, where, and what it wrote, which the answer does not', async () => {
    const { folder, url } = await openDevScreen({ files });
    const { exitCode, stdout, stderr } = await runCapix(['call', 'orders.findOrder', '--server'], {
      cwd: folder,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('Internal');
    expect(stderr).toMatch(cause);
    expect(stderr).toMatch(/at readTotal .*src\/capabilities\.ts:4:/);
    // The frames of capix and of Node say nothing of the order.
    expect(stderr).not.toMatch(/server-runtime|source\/serve|node:internal/);
    expect(stderr).toContain('looking for the order');
    expect(stderr).toContain('It has passed its guards: isOpen.');
    // The same server, named by its address.
    const named = await runCapix(['call', 'orders.findOrder', '--url', url], { cwd: folder });
    expect(named.stderr).toMatch(cause);
  });

  it('is shown so on the screen, with the lines around its place', async () => {
    const { folder } = await openDevScreen({ files });
    const call = openTestTerminal(['call', 'orders.findOrder'], { cwd: folder, rows: 45 });
    await call.waitFor('dev http://localhost');
    call.type('\r');
    const screen = await call.waitFor(cause);
    expect(screen).toContain('const readTotal');
    expect(screen).toContain('looking for the order');
    await call.close();
  });
});
