// Runs in the page of another site. `test/package/csrf-pages.test.ts` serves it, and gives each case its way and its address.

const value = '{"name":"a"}';

function form() {
  const data = new FormData();
  data.set('name', 'a');
  data.set('file', new Blob(['abc'], { type: 'text/plain' }), 'a.txt');
  return data;
}

function addFrame(name, src = 'about:blank') {
  const frame = document.createElement('iframe');
  frame.name = name;
  frame.src = src;
  document.body.append(frame);
}

/** Sends a form into a frame, so that the page itself stays. */
function submit(url, { method = 'POST', enctype = '', names = ['name'] }) {
  const target = `frame${document.querySelectorAll('iframe').length}`;
  addFrame(target);
  const element = document.createElement('form');
  Object.assign(element, { action: url, method, target });
  if (enctype !== '') element.enctype = enctype;
  for (const name of names) {
    const field = document.createElement('input');
    Object.assign(field, { name, value: 'a' });
    element.append(field);
  }
  document.body.append(element);
  element.submit();
}

/** Shows an address by an element that asks for it. */
function addElement(tag, attributes) {
  document.body.append(Object.assign(document.createElement(tag), attributes));
}

/** Follows a link, in a frame. */
function follow(url) {
  const target = `frame${document.querySelectorAll('iframe').length}`;
  addFrame(target);
  const link = Object.assign(document.createElement('a'), { href: url, target });
  document.body.append(link);
  link.click();
}

async function read(url, init) {
  const response = await fetch(url, { credentials: 'include', ...init });
  return response.text();
}

const opaque = (url, body) => read(url, { method: 'POST', mode: 'no-cors', body });
const json = { 'content-type': 'application/json' };
const throughOwn = (url) => `/redirect?to=${encodeURIComponent(url)}`;

/** What a page can do, by name; gives what it could read. */
const ways = {
  'a form': (url) => submit(url, {}),
  'a form with files': (url) => submit(url, { enctype: 'multipart/form-data' }),
  'a form as text': (url) => submit(url, { enctype: 'text/plain', names: ['{"name":"a","b":"'] }),
  'an empty form': (url) => submit(url, { names: [] }),
  'a form by GET': (url) => submit(url, { method: 'GET' }),
  'a form through a redirect': (url) => submit(throughOwn(url), {}),
  'a text': (url) => opaque(url, value),
  'pairs of a form': (url) => opaque(url, new URLSearchParams({ name: 'a' })),
  'form data': (url) => opaque(url, form()),
  'bytes without a type': (url) => opaque(url, new Blob([value])),
  'no body': (url) => opaque(url, null),
  'no body through a redirect': (url) => opaque(throughOwn(url), null),
  'a readable text': (url) => read(url, { method: 'POST', body: value }),
  JSON: (url) => read(url, { method: 'POST', headers: json, body: value }),
  'JSON without cookies': (url) =>
    read(url, { method: 'POST', headers: json, body: value, credentials: 'omit' }),
  DELETE: (url) => read(url, { method: 'DELETE' }),
  'a readable GET': (url) => read(url, {}),
  'a readable GET without cookies': (url) => read(url, { credentials: 'omit' }),
  'an opaque GET': (url) => read(url, { mode: 'no-cors' }),
  'a beacon': (url) => void navigator.sendBeacon(url, value),
  'a beacon with form data': (url) => void navigator.sendBeacon(url, form()),
  'a picture': (url) => addElement('img', { src: url }),
  'a script': (url) => addElement('script', { src: url }),
  'a style sheet': (url) => addElement('link', { rel: 'stylesheet', href: url }),
  'a frame': (url) => addFrame('shown', url),
  'a link': (url) => follow(url),
};

/** Tries each case, one after the other: the next waits until the request of the last has come to the server. */
export async function attack(cases) {
  const results = [];
  for (const [index, { way, url }] of cases.entries()) {
    // A page may not read: the promise of `fetch` rejects, and the request has been sent all the same.
    const text = await Promise.resolve(ways[way](url)).catch(() => '');
    await fetch(`/seen?case=${index}`);
    results.push(text ?? '');
  }
  await fetch('/done', { method: 'POST', body: JSON.stringify(results) });
}
