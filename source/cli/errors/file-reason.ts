/** The system's words about a file, to follow a colon: `'the disk is full'`; undefined for other errors. */
export function toFileReason(error: unknown): string | undefined {
  const { code = '' } = (error instanceof Error ? error : {}) as NodeJS.ErrnoException;
  return reasons[code];
}

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it is too large for the system',
  ENAMETOOLONG: 'its name is too long for the system',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
};
