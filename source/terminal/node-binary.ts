/** Absolute path of the Node that runs this process. */
export function nodeBinary(): string {
  return process.execPath;
}
