import assert from 'node:assert/strict';
import { toHttpRequest } from './load.mjs';

/** Rejects unless the server answers every request of the scenario as it should; nothing is timed before. */
export async function checkAnswers(scenario, server) {
  for (const request of scenario.requests) {
    const { status, text } = await send(request, server);
    const shown = `${server.name} answered ${request.method} ${request.path} with ${status}: ${text.slice(0, 400)}`;
    assert.equal(status, scenario.status, shown);
    if (request.data !== undefined) assert.deepEqual(readData(text, server), request.data, shown);
    if (scenario.mentions !== undefined) assert.ok(text.includes(scenario.mentions), shown);
    if (scenario.guarded === true) {
      const refused = await send({ ...request, headers: {} }, server);
      assert.equal(refused.status, 401, `${server.name} let a caller without a token in.`);
    }
  }
}

async function send(request, server) {
  const { method, path, headers, body } = toHttpRequest(request, server);
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (server.name === 'capix') {
    assert.ok(response.headers.get('x-request-id'), 'capix answered without its request id.');
    assert.equal(
      response.headers.get('access-control-allow-origin'),
      '*',
      'capix answered without CORS.',
    );
  }
  return { status: response.status, text };
}

function readData(text, { style }) {
  const answer = JSON.parse(text);
  return style === 'trpc' ? answer.result.data : answer.data;
}
