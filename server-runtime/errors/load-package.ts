/**
 * Loads a module that needs optional peers of this package. Rejects with `MissingPackageError`, which names all of
 * them.
 */
export async function loadPackage<Loaded>(
  packages: readonly string[],
  neededBy: string,
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  return load().catch((cause: NodeJS.ErrnoException) => {
    const isMissing =
      cause.code === 'ERR_MODULE_NOT_FOUND' &&
      packages.some((name) => cause.message.includes(name));
    const message = `${neededBy} needs what is not installed: npm install ${packages.join(' ')}`;
    throw isMissing
      ? Object.assign(new Error(message, { cause }), { name: 'MissingPackageError', packages })
      : cause;
  });
}
