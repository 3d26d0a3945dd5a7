import { Conflict, type Context, cap, maybeCap, NotFound, Unauthorized, userCap } from './context.js';
import { ByUsername, LoginUser, NewUser, OneProfile, OneUser, UpdateUser } from './schemas.js';
import { findUserId, fitsPassword, toPasswordHash } from './store.js';
import { expectUserId, viewProfile, viewUser } from './views.js';

// capix-ignore unguarded-mutation: whoever logs in has no token yet
export const login = cap(LoginUser, ({ user: { email, password } }, ctx) => {
  const id = findUserId(ctx.store, (user) => user.email === email && fitsPassword(password, user.passwordHash));
  if (id === undefined) throw Unauthorized('invalid', { subject: 'credentials' });
  return viewUser(ctx, id);
})
  .route('POST', '/users/login')
  .errors(Unauthorized)
  .output(OneUser);

// capix-ignore unguarded-mutation: anybody may register
export const createUser = cap(NewUser, ({ user: { password, ...user } }, ctx) => {
  expectFree(ctx, undefined, user);
  const id = ctx.store.nextId();
  ctx.store.users.set(id, { ...user, bio: null, image: null, passwordHash: toPasswordHash(password) });
  return viewUser(ctx, id);
})
  .route('POST', '/users')
  .errors(Conflict)
  .output(OneUser, { status: 201 });

export const getCurrentUser = userCap((_input, ctx) => viewUser(ctx, ctx.userId), 'query')
  .route('GET', '/user')
  .output(OneUser);

export const updateCurrentUser = userCap(UpdateUser, ({ user: { password, ...given } }, ctx) => {
  expectFree(ctx, ctx.userId, given);
  const old = ctx.store.users.get(ctx.userId);
  if (old === undefined) throw Unauthorized();
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const hash = password === undefined ? {} : { passwordHash: toPasswordHash(password) };
  ctx.store.users.set(ctx.userId, { ...old, ...changes, ...hash });
  return viewUser(ctx, ctx.userId);
})
  .route('PUT', '/user')
  .output(OneUser);

export const getProfile = maybeCap(ByUsername, ({ username }, ctx) => ({
  profile: viewProfile(ctx, expectUserId(ctx, username)),
}))
  .route('GET', '/profiles/:username')
  .errors(NotFound)
  .output(OneProfile);

export const follow = userCap(ByUsername, ({ username }, ctx) => {
  const id = expectUserId(ctx, username);
  ctx.store.follows.add(`${ctx.userId} ${id}`);
  return { profile: viewProfile(ctx, id) };
})
  .route('POST', '/profiles/:username/follow')
  .errors(NotFound)
  .output(OneProfile);

export const unfollow = userCap(ByUsername, ({ username }, ctx) => {
  const id = expectUserId(ctx, username);
  ctx.store.follows.delete(`${ctx.userId} ${id}`);
  return { profile: viewProfile(ctx, id) };
})
  .route('DELETE', '/profiles/:username/follow')
  .errors(NotFound)
  .output(OneProfile);

function expectFree(
  { store }: Context,
  own: number | undefined,
  { username, email }: { readonly username?: string | undefined; readonly email?: string | undefined },
): void {
  const isTaken = (fits: Parameters<typeof findUserId>[1]): boolean => {
    const id = findUserId(store, fits);
    return id !== undefined && id !== own;
  };
  if (isTaken((user) => user.username === username)) throw Conflict('has already been taken', { subject: 'username' });
  if (isTaken((user) => user.email === email)) throw Conflict('has already been taken', { subject: 'email' });
}
