import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The versions of Node in a list of numbers or paths, with commas between them: `[{node, version}]`, path and number. */
export function findNodes(list) {
  return list.split(',').map((each) => {
    const node = findNode(each);
    const version = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' });
    return { node, version: version.trim() };
  });
}

function findNode(versionOrPath) {
  if (existsSync(versionOrPath)) return versionOrPath;
  return execFileSync('npx', ['-y', `node@${versionOrPath}`, '-p', 'process.execPath'], {
    encoding: 'utf8',
  }).trim();
}
