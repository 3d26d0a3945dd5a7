/** A package that only some servers need is not installed. `packages`: all that have to be. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';
  readonly packages: readonly string[];

  constructor(packages: readonly string[], neededBy: string, cause: unknown) {
    super(`${neededBy} needs what is not installed: npm install ${packages.join(' ')}`, { cause });
    this.packages = packages;
  }
}

/** Loads what needs packages that are optional peers of this one. @throws MissingPackageError */
export async function loadPackage<Loaded>(
  packages: readonly string[],
  neededBy: string,
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !packages.some((name) => message.includes(name))) throw error;
    throw new MissingPackageError(packages, neededBy, error);
  }
}
