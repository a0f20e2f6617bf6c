// What KWin runs for us: it asks for the next command, does it, and answers with the next question. Words in capitals are
// put in before it is loaded. KWin 5 and 6 name things differently.
"use strict";

const SERVICE = "SERVICE_NAME", PATH = "OBJECT_PATH", INTERFACE = "INTERFACE_NAME", SCRIPT = "SCRIPT_NAME";
const IS_FIVE = !workspace.windowList;
const MOST_WINDOWS = 1000, MOST_CHARACTERS = 1000, FORGOTTEN_AFTER = 15000;

// Where nobody asks for anything any more, because we were ended, it takes itself out.
const forgotten = new QTimer();
forgotten.interval = FORGOTTEN_AFTER;
forgotten.singleShot = true;
forgotten.timeout.connect(function () {
    callDBus("org.kde.KWin", "/Scripting", "org.kde.kwin.Scripting", "unloadScript", SCRIPT);
});

function all() {
    return IS_FIVE ? workspace.clientList() : workspace.windowList();
}

function find(id) {
    return all().find(function (window) { return String(window.internalId) === id && !window.deleted; });
}

function sides(area) {
    return area ? [area.x, area.y, area.width, area.height] : null;
}

function isHere(window) {
    const activities = window.activities;
    const isInActivity = !activities || activities.length === 0 || activities.indexOf(workspace.currentActivity) >= 0;
    if (window.onAllDesktops) {
        return isInActivity;
    }
    const current = workspace.currentDesktop;
    const isOnDesktop = IS_FIVE
        ? window.desktop === current
        : window.desktops.some(function (desktop) { return desktop.id === current.id; });
    return isInActivity && isOnDesktop;
}

function told(window) {
    const owner = window.transientFor;
    return {
        id: String(window.internalId),
        pid: window.pid,
        title: String(window.caption).slice(0, MOST_CHARACTERS),
        frame: sides(window.frameGeometry),
        surface: sides(window.bufferGeometry),
        active: window.active,
        shown: !window.minimized && !window.hidden && isHere(window),
        order: window.stackingOrder,
        popup: window.popupWindow || window.popupMenu || window.dropdownMenu || window.comboBox,
        tooltip: window.tooltip,
        special: window.specialWindow || window.dock || window.desktopWindow,
        dialog: window.dialog,
        modal: window.modal,
        owner: owner ? String(owner.internalId) : null,
    };
}

function look() {
    const windows = all().filter(function (window) { return !window.deleted; }).map(told);
    windows.sort(function (one, other) { return one.order - other.order; });
    return { screen: sides(workspace.virtualScreenGeometry), windows: windows.slice(-MOST_WINDOWS) };
}

function act(command) {
    const window = find(command.window);
    if (!window) {
        return "gone";
    }
    switch (command.action) {
        case "activate":
            window.minimized = false;
            if (IS_FIVE) {
                workspace.activeClient = window;
            } else {
                workspace.activeWindow = window;
            }
            break;
        case "close":
            window.closeWindow();
            break;
        case "minimize":
            window.minimized = true;
            break;
        case "maximize":
            window.minimized = false;
            window.setMaximize(true, true);
            break;
        case "restore":
            window.minimized = false;
            window.setMaximize(false, false);
            break;
        case "place": {
            const area = Object.assign({}, window.frameGeometry);
            window.frameGeometry = {
                x: command.x === null ? area.x : command.x,
                y: command.y === null ? area.y : command.y,
                width: command.width === null ? area.width : command.width,
                height: command.height === null ? area.height : command.height,
            };
            break;
        }
    }
    return "done";
}

function does(text) {
    try {
        const command = JSON.parse(text);
        return JSON.stringify(command.action === "look" ? look() : act(command));
    } catch (error) {
        return JSON.stringify({ error: String(error).slice(0, MOST_CHARACTERS) });
    }
}

function next(answer) {
    forgotten.start();
    callDBus(SERVICE, PATH, INTERFACE, "Next", answer, function (command) {
        if (command) {
            next(does(command));
        }
    });
}

next("");
