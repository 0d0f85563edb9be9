// npm runs this before `npm start`: it builds the web app, once and after updates. Needs nothing but Node 20 and npm, as run.mjs does.
import { buildWeb } from './buildWeb.mjs';
import { install, root } from './install.mjs';
import { runVite } from './runVite.mjs';

// Whoever names another folder has built it.
if (!process.env.HEARTH_WEB_DIR) {
  const node = install();
  await buildWeb(root, runVite(node)).catch((error) => {
    console.error(error.message);
    console.error(
      '\nThe web app could not be built: see the message above. Hearth starts with the one built before, if there is one.\n',
    );
  });
}
