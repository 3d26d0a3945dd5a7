import { readFile, realpath } from 'node:fs/promises';
import { dirname, posix, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isInside } from '../../system/paths.ts';
import type { AddressReader } from './address-reader.ts';
import type { DocumentSource } from './follow-references.ts';
import { type ReadText, readAnyText, toInvalid } from './read-any-text.ts';

/** What documents may refer to besides the files around them. */
export interface AllowedPlaces {
  /** Absolute path that paths are relative to. */
  readonly workingDirectory: string;
  /** Folders, files and addresses. */
  readonly allow?: readonly string[] | undefined;
  readonly reader: AddressReader;
}

const ADDRESS = /^https?:\/\//i;

/** A file on the disk, which may refer to what lies in its folder. */
export function createFileSource(file: string, places: AllowedPlaces): DocumentSource {
  return {
    url: pathToFileURL(file),
    read: async (url) => {
      if (url.protocol !== 'file:') return readAddress(url, places);
      const path = fileURLToPath(url);
      try {
        // A link may lead out of a folder.
        const real = await realpath(path);
        const folders = await Promise.all([dirname(file), ...toFolders(places)].map(toReal));
        if (folders.some((folder) => isInside(real, folder)))
          return await readAnyText(await readFile(real));
        return toRefused(relative(places.workingDirectory, path).replaceAll('\\', '/'));
      } catch {
        return toInvalid('there is no such file');
      }
    },
  };
}

/** A document of a server, which may refer to all of that server. */
export function createAddressSource(url: string, places: AllowedPlaces): DocumentSource {
  const { origin } = new URL(url);
  return { url: new URL(url), read: (other) => readAddress(other, places, origin) };
}

export interface BlobSourceOptions extends AllowedPlaces {
  /** The path of the document from the top of the repository. */
  readonly path: string;
  /** Absolute path of the top of the repository. */
  readonly top: string;
  /** Reads a file of the commit; undefined where there is none. */
  readonly readBlob: (path: string) => Promise<Uint8Array | undefined>;
}

/** A file of a commit, which may refer to what lies in its folder at that commit. */
export function createBlobSource({
  path,
  top,
  readBlob,
  ...places
}: BlobSourceOptions): DocumentSource {
  const folders = [
    posix.dirname(path),
    ...toFolders(places).map((folder) => relative(top, folder).replaceAll('\\', '/')),
  ];
  return {
    url: new URL(encodeURI(path), 'git://commit/'),
    read: async (url) => {
      if (url.protocol !== 'git:') return readAddress(url, places);
      const name = decodeURI(url.pathname).slice(1);
      if (!folders.some((folder) => isInside(resolve(top, name), resolve(top, folder))))
        return toRefused(name);
      const bytes = await readBlob(name);
      return bytes === undefined ? toInvalid('there is no such file') : readAnyText(bytes);
    },
  };
}

/** An address of the same server, or one that is allowed. No redirect leads to another one. */
async function readAddress(
  url: URL,
  { allow = [], reader }: AllowedPlaces,
  origin?: string,
): Promise<ReadText> {
  if (!ADDRESS.test(url.href)) return toInvalid(`${url.protocol} is not read`);
  const isAllowed =
    url.origin === origin ||
    allow.some((place) => ADDRESS.test(place) && `${url.href}/`.startsWith(toPrefix(place)));
  return isAllowed ? (await reader.read(url.href, false)).text : toRefused(url.origin);
}

/** An address with a slash at its end, so that no other begins with it. */
function toPrefix(address: string): string {
  return `${new URL(address).href.replace(/\/$/, '')}/`;
}

/** The absolute paths among what is allowed. */
function toFolders({ workingDirectory, allow = [] }: AllowedPlaces): readonly string[] {
  return allow
    .filter((place) => !ADDRESS.test(place))
    .map((place) => resolve(workingDirectory, place));
}

async function toReal(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function toRefused(place: string): ReadText {
  return toInvalid(`it lies elsewhere: --allow ${place} reads it`);
}
