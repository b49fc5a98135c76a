"use strict";
for (const button of document.querySelectorAll("button[data-copies]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
    document.getElementById("said").textContent = button.dataset.done;
  });
}
