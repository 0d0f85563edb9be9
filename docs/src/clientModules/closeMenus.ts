/* Closes menus on Escape: the dropdowns of the navbar and the mobile sidebar. Docusaurus does not. */

const closeMenus = (): void => {
  const sidebar = document.querySelector<HTMLElement>('.navbar-sidebar--show .navbar-sidebar__close');
  if (sidebar !== null) {
    sidebar.click();
    document.querySelector<HTMLElement>('.navbar__toggle')?.focus();
  }
  for (const menu of document.querySelectorAll('.dropdown--show, .dropdown:hover')) {
    // CSS opens hovered menus. The class hides them until the pointer leaves, a key is pressed, or the focus changes.
    menu.classList.add('isDismissed');
    const restore = (): void => menu.classList.remove('isDismissed');
    for (const event of ['mouseleave', 'keydown', 'focusin']) menu.addEventListener(event, restore, { once: true });
    if (menu.contains(document.activeElement)) menu.querySelector<HTMLElement>('.navbar__link')?.focus();
  }
  // Docusaurus closes an open menu on a click outside.
  document.dispatchEvent(new MouseEvent('mousedown'));
};

if (typeof window !== 'undefined')
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') closeMenus();
  });
