/** Runs the task at each SIGHUP, which otherwise would end the process. Windows sends it when the window is closed, and then ends the process. */
export function onHangUp(task: () => void): void {
  process.on('SIGHUP', task);
}
