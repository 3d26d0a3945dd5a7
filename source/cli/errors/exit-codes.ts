/** The exit codes of the process. */
export const exitCodes = {
  /** Done. */
  done: 0,
  /** The command failed, or it found problems. */
  failed: 1,
  /** Wrong usage: unknown command or option, missing argument, invalid value. */
  usage: 2,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const;
