/** Opens a URL in the user's browser. Does nothing where there is none. */
export async function openInBrowser(url: string): Promise<void> {
  const { execa } = await import('execa');
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const opener = execa(program ?? 'xdg-open', [...args, url], { stdio: 'ignore', detached: true, reject: false });
  opener.unref();
  await opener;
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
