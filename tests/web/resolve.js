// Lets Node import modules of the web client by their addresses, /web/… and /web/games/FAMILY/…, as the server maps them.
// There is no page here: only functions that need none are tested, the rest in Chromium (tests/ui).
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

// Modules that listen to the window or look at the address do so when they are imported.
Object.assign(globalThis, { addEventListener() {}, location: new URL('http://127.0.0.1:7860/table?seat=abc') });
