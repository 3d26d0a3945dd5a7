import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Starts the language service of an editor, TypeScript's own `tsserver`, as an editor does: as a process that is told of files and asked about
 * places in them. `tsserver` is the path of its script.
 */
export function startTsServer(tsserver, cwd) {
  const args = [tsserver, '--disableAutomaticTypingAcquisition', '--suppressDiagnosticEvents'];
  const child = spawn(process.execPath, ['--max-old-space-size=4096', ...args], {
    cwd,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map();
  let next = 1;
  let unread = Buffer.alloc(0);
  child.stdout.on('data', (bytes) => {
    unread = Buffer.concat([unread, bytes]);
    for (;;) {
      const head = /^Content-Length: (\d+)\r\n\r\n/.exec(unread.subarray(0, 64).toString('latin1'));
      const end = head === null ? Number.POSITIVE_INFINITY : head[0].length + Number(head[1]);
      if (unread.length < end) return;
      const message = JSON.parse(unread.subarray(head[0].length, end).toString());
      unread = unread.subarray(end);
      const answer = message.type === 'response' ? waiting.get(message.request_seq) : undefined;
      if (answer === undefined) continue;
      waiting.delete(message.request_seq);
      if (message.success) answer.resolve(message.body);
      else answer.reject(new Error(message.message));
    }
  });
  child.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('tsserver ended.'));
  });
  const tell = (command, body) => {
    const seq = next++;
    child.stdin.write(`${JSON.stringify({ seq, type: 'request', command, arguments: body })}\n`);
    return seq;
  };
  return {
    pid: child.pid,
    open: (file) => void tell('open', { file }),
    change: (file, place, insertString) =>
      void tell('change', {
        file,
        ...place,
        endLine: place.line,
        endOffset: place.offset,
        insertString,
      }),
    ask: (command, body) =>
      new Promise((resolve, reject) => {
        waiting.set(tell(command, body), { resolve, reject });
      }),
    end: async () => {
      child.stdin.end();
      child.kill();
    },
  };
}

/** Where a text first stands in a file, or `within` characters after that; lines and offsets count from one. */
export function placeOf(file, text, within = 0) {
  const source = readFileSync(file, 'utf8');
  const at = source.indexOf(text);
  if (at < 0) throw new Error(`${file} has no ${text}`);
  const before = source.slice(0, at + within).split('\n');
  return { line: before.length, offset: (before.at(-1) ?? '').length + 1 };
}
