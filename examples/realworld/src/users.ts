import {
  Conflict,
  type Context,
  cap,
  maybeCap,
  NotFound,
  Unauthorized,
  userCap,
} from './context.js';
import { fitsPassword, toPasswordHash } from './passwords.js';
import { ByUsername, LoginUser, NewUser, OneProfile, OneUser, UpdateUser } from './schemas.js';
import { toUser } from './store.js';
import { expectUser, expectUserId, viewProfile, viewUser } from './views.js';

// capix-ignore unguarded-mutation: whoever logs in has no token yet
export const login = cap(LoginUser, ({ user: { email, password } }, ctx) => {
  const row = ctx.store.find('select * from users where email = ?', email);
  if (row === undefined || !fitsPassword(password, toUser(row).passwordHash))
    throw Unauthorized('invalid', { subject: 'credentials' });
  return viewUser(ctx, toUser(row).id);
})
  .route('POST', '/users/login')
  .errors(Unauthorized)
  .output(OneUser);

// capix-ignore unguarded-mutation: anybody may register
export const createUser = cap(NewUser, ({ user: { password, ...user } }, ctx) => {
  expectFree(ctx, 0, user);
  const values = [user.username, user.email, toPasswordHash(password)];
  return viewUser(
    ctx,
    ctx.store.run('insert into users (username, email, passwordHash) values (?, ?, ?)', ...values),
  );
})
  .route('POST', '/users')
  .errors(Conflict)
  .output(OneUser, { status: 201 });

export const getCurrentUser = userCap((_input, ctx) => viewUser(ctx, ctx.userId), 'query')
  .route('GET', '/user')
  .output(OneUser);

export const updateCurrentUser = userCap(UpdateUser, ({ user: { password, ...given } }, ctx) => {
  expectFree(ctx, ctx.userId, given);
  const old = expectUser(ctx, ctx.userId);
  const { username = old.username, email = old.email, bio = old.bio, image = old.image } = given;
  const hash = password === undefined ? old.passwordHash : toPasswordHash(password);
  const change =
    'update users set username = ?, email = ?, bio = ?, image = ?, passwordHash = ? where id = ?';
  ctx.store.run(change, username, email, bio, image, hash, ctx.userId);
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
  ctx.store.run('insert or ignore into follows values (?, ?)', ctx.userId, id);
  return { profile: viewProfile(ctx, id) };
})
  .route('POST', '/profiles/:username/follow')
  .errors(NotFound)
  .output(OneProfile);

export const unfollow = userCap(ByUsername, ({ username }, ctx) => {
  const id = expectUserId(ctx, username);
  ctx.store.run('delete from follows where userId = ? and followedId = ?', ctx.userId, id);
  return { profile: viewProfile(ctx, id) };
})
  .route('DELETE', '/profiles/:username/follow')
  .errors(NotFound)
  .output(OneProfile);

function expectFree(
  { store }: Context,
  ownId: number,
  given: { readonly username?: string | undefined; readonly email?: string | undefined },
): void {
  for (const subject of ['username', 'email'] as const) {
    const taken = store.find(
      `select 1 from users where ${subject} = ? and id <> ?`,
      given[subject] ?? null,
      ownId,
    );
    if (taken !== undefined) throw Conflict('has already been taken', { subject });
  }
}
