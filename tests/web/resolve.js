// Lets Node import modules of the web client by their addresses: /web/… and /web/games/FAMILY/… as the server maps them.
import { registerHooks } from 'node:module';

const ROOT = new URL('../../', import.meta.url);

registerHooks({
  resolve(specifier, context, next) {
    const game = /^\/web\/games\/(\w+)\/(.+)$/.exec(specifier);
    if (game) return next(new URL(`games/${game[1]}/web/${game[2]}`, ROOT).href, context);
    if (specifier.startsWith('/web/')) return next(new URL(`ui/static/${specifier.slice(5)}`, ROOT).href, context);
    return next(specifier, context);
  },
});
