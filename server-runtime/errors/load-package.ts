/** A package that only some servers need is not installed. `packages`: all that have to be. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';
  readonly packages: readonly string[];

  constructor(packages: readonly string[], neededBy: string, cause: unknown) {
    super(`${neededBy} needs what is not installed: npm install ${packages.join(' ')}`, { cause });
    this.packages = packages;
  }
}

/** Loads what needs optional peers of this package. @throws MissingPackageError */
export async function loadPackage<Loaded>(
  packages: readonly string[],
  neededBy: string,
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  return load().catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ERR_MODULE_NOT_FOUND' && packages.some((name) => error.message.includes(name));
    throw isMissing ? new MissingPackageError(packages, neededBy, error) : error;
  });
}
