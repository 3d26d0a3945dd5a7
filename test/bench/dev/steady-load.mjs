import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks a server at a steady rate, by GET and POST in turn over connections that are kept, whatever its answers take: `{cpuUs, requestsPerSecond, timesMs}`, the CPU time of its process for each
 * request and how long each answer took.
 */
export async function sendSteadily({ port, serverPid }, { requestsPerSecond, seconds }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const timesMs = [];
  const under = new Set();
  const total = seconds * requestsPerSecond;
  const cpuBeforeUs = readCpuUs(serverPid);
  const startedAt = performance.now();
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, ((performance.now() - startedAt) / 1000) * requestsPerSecond);
    for (; sent < due; sent++) {
      const sentAt = performance.now();
      const answer = ask(port, '/notes', { agent, method: sent % 2 === 0 ? 'GET' : 'POST' }).then(
        () => {
          under.delete(answer);
          timesMs.push(performance.now() - sentAt);
        },
      );
      under.add(answer);
    }
    await sleep(2);
  }
  await Promise.all(under);
  const tookSeconds = (performance.now() - startedAt) / 1000;
  const cpuUs = (readCpuUs(serverPid) - cpuBeforeUs) / total;
  agent.destroy();
  return { cpuUs, requestsPerSecond: total / tookSeconds, timesMs };
}

/** Gives the body of the answer. */
export function ask(port, path, { method = 'GET', agent = false } = {}) {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, path, method, agent }, (response) => {
      let text = '';
      response
        .on('data', (part) => (text += part))
        .on('end', () => resolve(text))
        .on('error', reject);
    });
    outgoing.on('error', reject).end();
  });
}

export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** CPU time of a process until now; the clock of Linux counts hundredths of a second. */
function readCpuUs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
